// The projection benchmark with Playwright: reads and transforms the same records. See ../README.md.
//
//     node playwright.mjs CHROMIUM ORIGIN

import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const [, , executablePath, origin] = process.argv;
const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
await page.goto(`${origin}/table.html`);

/** Runs in the page: reads three fields of every record. */
const fields = (rows) =>
  rows.map((row) => ({
    id: row.getAttribute('data-id'),
    name: row.querySelector('.name').innerText.trim(),
    price: row.querySelector('.price').innerText.trim(),
  }));

async function state() {
  const records = await page.locator('tr.record').evaluateAll(fields);
  return { records: records.map(({ id, name, price }) => ({ id, name, price: Number(price) })) };
}

const tasks = {
  async state_read() {
    const { records } = await state();
    if (records[9_999].price !== 0.5) throw new Error('wrong state');
  },
  async state_summary() {
    const { records } = await state();
    const prices = records.map(({ price }) => price);
    const summary = {
      count: records.length,
      total: prices.reduce((sum, price) => sum + price, 0),
      most: Math.max(...prices),
      first: records.slice(0, 10).map(({ name }) => name),
    };
    if (summary.count !== 10_000) throw new Error('wrong summary');
  },
};

console.log(JSON.stringify({ ready: {} }));
for await (const task of createInterface({ input: process.stdin })) {
  const start = performance.now();
  await tasks[task]();
  console.log(JSON.stringify({ ms: performance.now() - start }));
}
await browser.close();
