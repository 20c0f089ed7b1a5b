// Listens for the events of a document that its map declares as signals, and reports them to the driver. It runs in the
// isolated world at the start of each document: the page cannot see the listeners or the function that reports.
(config) => {
  if (window !== window.top) return;
  const key = Symbol.for('actions.heard_events');
  document[key]?.abort();
  const controller = new AbortController();
  document[key] = controller;
  let [permits, at, dropped] = [config.burst, performance.now(), 0];
  let counting;
  const report = (what) => globalThis.actions_report(JSON.stringify(what));

  // Says how many events were dropped, if no later event has said it.
  const tell_dropped = () => {
    clearTimeout(counting);
    counting = undefined;
    if (dropped > 0) report({ dropped });
    dropped = 0;
  };

  // A bucket of permits: a page that sends faster is heard at this rate, and what is dropped is counted.
  const may_pass = () => {
    const now = performance.now();
    permits = Math.min(config.burst, permits + ((now - at) / 1_000) * config.per_second);
    at = now;
    if (permits < 1) {
      dropped += 1;
      counting ??= setTimeout(tell_dropped, config.count_after);
      return false;
    }
    permits -= 1;
    return true;
  };

  const detail_of = (event) => {
    try {
      // Reading the detail of the other world copies it; nothing of the page runs when the copy is written down.
      const detail = event instanceof CustomEvent ? event.detail : null;
      const text = JSON.stringify(detail === undefined ? null : detail);
      if (text === undefined) return { fault: 'unreadable' };
      return text.length > config.most ? { fault: 'too_large', size: text.length } : { detail: text };
    } catch {
      return { fault: 'unreadable' };
    }
  };

  const is_from = (event, selectors) => {
    if (selectors.length === 0) return true;
    const from = event.composedPath()[0];
    return from instanceof Element && selectors.some((selector) => from.closest(selector) !== null);
  };

  for (const { event: name, selectors } of config.heard) {
    const hear = (event) => {
      if (!is_from(event, selectors) || !may_pass()) return;
      report({ event: name, dropped, ...detail_of(event) });
      dropped = 0;
    };
    window.addEventListener(name, hear, { capture: true, passive: true, signal: controller.signal });
  }
  controller.signal.addEventListener('abort', tell_dropped);
  // The page can send an event of this name as well, as often as it likes.
  const leave = (event) => event.isTrusted && tell_dropped();
  window.addEventListener('pagehide', leave, { capture: true, signal: controller.signal });
}
