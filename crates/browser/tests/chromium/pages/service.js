// Stands between its pages and the network: it asks for what they ask for, and adds its word to what is said.
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
