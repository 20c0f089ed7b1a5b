/**
 * Puts the objects of the Web Agent Bridge into a document: `AICommands`, `__wab_bidi`, and the event `wab:ready` on the
 * window. Runs in the page's own world at the start of each document. It only passes messages on; the bridge decides.
 *
 * @param {{ binding: string, answer: string, version: string, timeout_ms: number }} config
 */
(config) => {
  if (window !== window.top || Object.hasOwn(window, config.answer)) return;
  const ask = globalThis[config.binding];
  if (typeof ask !== 'function') return;
  const { stringify } = JSON;
  const line = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join('');
  const waiting = new Map();
  const listeners = new Set();
  let number = 0;
  let token = null;

  const send = (command) => new Promise((resolve) => {
    const key = ++number;
    const timer = setTimeout(() => {
      waiting.delete(key);
      const message = 'the bridge did not answer in time';
      resolve({ id: command?.id ?? null, type: 'error', error: { code: 'TIMEOUT', message } });
    }, config.timeout_ms);
    waiting.set(key, (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    ask(stringify({ key, line, origin: location.origin, command }));
  });

  const call = async (method, params) => {
    const id = `js_${line}_${++number}`;
    const context = token === null ? undefined : { sessionToken: token };
    const answer = await send({ id, method, params, context });
    if (answer.type === 'success') return answer.result;
    const error = new Error(`${answer.error?.code}: ${answer.error?.message}`);
    error.code = answer.error?.code;
    if (answer.error?.retryAfter !== undefined) error.retryAfter = answer.error.retryAfter;
    throw error;
  };

  const subscribe = async (events, callback) => {
    const result = await call('wab.subscribe', { events });
    const listener = { events: new Set(result.events), callback };
    listeners.add(listener);
    return result;
  };

  const commands = {
    discover: () => call('wab.discover', {}),
    getContext: () => call('wab.getContext', {}),
    getActions: (category) => call('wab.getActions', category === undefined ? {} : { category }),
    getAction: async (name) => (await call('wab.getActions', {})).find((action) => action.name === name) ?? null,
    execute: (name, data) => call('wab.executeAction', { name, data: data ?? {} }),
    readContent: (selector) => call('wab.readContent', { selector }),
    getPageInfo: () => call('wab.getPageInfo', {}),
    authenticate: async (apiKey, meta) => {
      const session = await call('wab.authenticate', { apiKey, meta: meta ?? {} });
      token = session.sessionToken;
      return session;
    },
    ping: () => call('wab.ping', {}),
    subscribe,
  };

  const bidi = {
    send: (command) => send(command),
    getContext: () => call('wab.getContext', {}),
    subscribe,
  };

  Object.defineProperty(window, config.answer, {
    value: (key, message) => {
      if (key === null) {
        for (const listener of listeners) {
          if (listener.events.has(message.event)) {
            try {
              listener.callback(message);
            } catch {
              // A listener that throws does not keep the others from hearing.
            }
          }
        }
        return;
      }
      const resolve = waiting.get(key);
      waiting.delete(key);
      resolve?.(message);
    },
  });
  Object.defineProperty(window, 'AICommands', { value: Object.freeze(commands), configurable: true });
  Object.defineProperty(window, '__wab_bidi', { value: Object.freeze(bidi), configurable: true });
  window.dispatchEvent(new CustomEvent('wab:ready', { detail: { version: config.version, transport: 'js_global' } }));
}
