// Service worker that fetches the URL it receives in a message and replies with `reached` or `failed`.
addEventListener('message', (event) => {
  const tell = (word) => event.source.postMessage(word);
  event.waitUntil(fetch(event.data, { mode: 'no-cors' }).then(() => tell('reached'), () => tell('failed')));
});
