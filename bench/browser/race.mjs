// Shared by the Playwright and Puppeteer benchmarks: the timing loop and the functions that run in the page.

import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';

const PAGES = {
  element_info: 'elements.html',
  click: 'click.html',
  type: 'type.html',
  wait_for: 'wait.html',
  extract: 'table.html',
};

/**
 * Runs the task named by each line of standard input and prints its duration. Opening the page of a task, and the cleanup
 * function that a task may return, are not part of the measured time.
 */
export async function race(origin, open, tasks, opened) {
  let shown = null;
  console.log(JSON.stringify({ ready: {} }));
  for await (const task of createInterface({ input: process.stdin })) {
    const wanted = PAGES[task];
    if (wanted && wanted !== shown) {
      await open(`${origin}/${wanted}`);
      shown = wanted;
      opened();
    }
    const start = performance.now();
    const tidy = await tasks[task]();
    const ms = performance.now() - start;
    await tidy?.();
    console.log(JSON.stringify({ ms }));
  }
}

/** Runs in the page: reads the facts about one element that our own primitive reports. */
export function element_facts(element) {
  const box = element.getBoundingClientRect();
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  const style = getComputedStyle(element);
  return {
    tag: element.localName,
    name: element.getAttribute('aria-label'),
    text: element.innerText,
    attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    box: { x: box.x, y: box.y, width: box.width, height: box.height },
    rendered: box.width > 0 && box.height > 0 && style.visibility === 'visible',
    in_viewport: box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
    receives_events: element.contains(document.elementFromPoint(x, y)),
    enabled: !element.disabled,
  };
}

/** Runs in the page: reads three fields of every record. */
export function record_fields(rows) {
  return rows.map((row) => ({
    id: row.getAttribute('data-id'),
    name: row.querySelector('.name').innerText.trim(),
    price: row.querySelector('.price').innerText.trim(),
  }));
}

/** Fails a benchmark with a wrong result: its time would mean nothing. */
export function same(seen, expected) {
  if (seen !== expected) throw new Error(`expected ${expected}, saw ${seen}`);
}
