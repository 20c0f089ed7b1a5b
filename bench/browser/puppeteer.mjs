// The browser benchmark with Puppeteer: the tasks as a Puppeteer user writes them. See ../README.md.
//
//     node puppeteer.mjs CHROMIUM ORIGIN

import puppeteer from 'puppeteer-core';
import { element_facts, race, record_fields, same } from './race.mjs';

const [, , executablePath, origin] = process.argv;
const TEXT = 'twenty characters ok';
const viewport = { width: 1280, height: 720 };
const launch = () =>
  puppeteer.launch({ executablePath, headless: true, pipe: true, args: ['--no-sandbox'], defaultViewport: viewport });

const browser = await launch();
const page = await (await browser.createBrowserContext()).newPage();
const text = (selector, from = page) => from.$eval(selector, (element) => element.textContent);
let clicks = 0;

await race(origin, (url) => page.goto(url), {
  async launch() {
    const started = await launch();
    const first = await started.newPage();
    await first.goto(`${origin}/click.html`);
    same(await text('#count', first), '0');
    return () => started.close();
  },
  async element_info() {
    const facts = await page.$eval('button.item[data-number="1250"]', element_facts);
    same(facts.name, 'Item number 1250');
  },
  async click() {
    clicks += 1;
    await page.locator('#add').click();
    same(await text('#count'), String(clicks));
  },
  async type() {
    await page.type('#field', TEXT);
    same(await page.$eval('#field', (field) => field.value), TEXT);
    return () => page.$eval('#field', (field) => { field.value = ''; });
  },
  async wait_for() {
    await page.evaluate('begin()');
    await page.waitForSelector('#late', { visible: true });
  },
  async extract() {
    // `$$eval` would first create a handle for every row and take fifty times as long.
    const rows = await page.evaluateHandle(() => [...document.querySelectorAll('tr.record')]);
    const records = await rows.evaluate(record_fields);
    await rows.dispose();
    same(records.length, 10_000);
    same(records[9_999].name, 'Record number 10000');
  },
}, () => { clicks = 0; });
await browser.close();
