// The browser benchmark with Playwright: the tasks as a Playwright user writes them. See ../README.md.
//
//     node playwright.mjs CHROMIUM ORIGIN

import { chromium } from 'playwright-core';
import { element_facts, race, record_fields, same } from './race.mjs';

const [, , executablePath, origin] = process.argv;
const TEXT = 'twenty characters ok';
const launch = () => chromium.launch({ executablePath, headless: true, args: ['--no-sandbox'] });

const browser = await launch();
const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
const page = await context.newPage();
let clicks = 0;

await race(origin, (url) => page.goto(url), {
  async launch() {
    const started = await launch();
    const first = await started.newPage({ viewport: { width: 1280, height: 720 } });
    await first.goto(`${origin}/click.html`);
    same(await first.locator('#count').textContent(), '0');
    return () => started.close();
  },
  async element_info() {
    const facts = await page.locator('button.item[data-number="1250"]').evaluate(element_facts);
    same(facts.name, 'Item number 1250');
  },
  async click() {
    clicks += 1;
    await page.locator('#add').click();
    same(await page.locator('#count').textContent(), String(clicks));
  },
  async type() {
    await page.locator('#field').pressSequentially(TEXT);
    same(await page.locator('#field').inputValue(), TEXT);
    return () => page.locator('#field').fill('');
  },
  async wait_for() {
    await page.evaluate('begin()');
    await page.locator('#late').waitFor({ state: 'visible' });
  },
  async extract() {
    const records = await page.locator('tr.record').evaluateAll(record_fields);
    same(records.length, 10_000);
    same(records[9_999].name, 'Record number 10000');
  },
}, () => { clicks = 0; });
await browser.close();
