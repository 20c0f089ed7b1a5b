// Service worker that forwards all requests to the network and appends a phrase to the body of `/said`.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  const answer = async () => {
    const response = await fetch(event.request);
    return pathname === '/said' ? new Response(`${await response.text()} by the service`) : response;
  };
  event.respondWith(answer());
});
