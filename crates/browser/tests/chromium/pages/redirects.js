// Service worker that answers `/who` itself and redirects `/moved` to another site.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  if (pathname === '/who') event.respondWith(new Response('the service'));
  if (pathname === '/moved') event.respondWith(Response.redirect('EVIL'));
});
