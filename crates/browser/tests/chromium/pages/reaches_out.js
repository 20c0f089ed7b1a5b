// Asks for what it is told to ask for, and tells what came of it.
addEventListener('message', (event) => {
  const tell = (word) => event.source.postMessage(word);
  event.waitUntil(fetch(event.data, { mode: 'no-cors' }).then(() => tell('reached'), () => tell('failed')));
});
