// The generated cases as Playwright tests on the same recordings.
import { expect, test } from '@playwright/test';
import { join } from 'node:path';

const count = Number(process.env.BENCH_COUNT);
const maps = process.env.BENCH_MAPS;

for (let number = 0; number < count; number += 1) {
  test(`shop ${number}`, async ({ page }) => {
    const shop = join(maps, `shop-${String(number).padStart(4, '0')}`);
    await page.routeFromHAR(join(shop, 'recordings/page.har'), { notFound: 'abort' });
    await page.goto(`https://shops.example/shop/${number}`);
    await page.locator('.add[data-sku=\'tea-3\']').click();
    expect(Number(await page.locator('#count').textContent())).toBe(1);
  });
}
