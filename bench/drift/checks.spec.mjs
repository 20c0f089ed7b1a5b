// What `actions check` makes of each generated map, as a Playwright test: the assertions of its checks, and every target.
import { expect, test } from '@playwright/test';

const count = Number(process.env.BENCH_COUNT);
const origin = process.env.BENCH_ORIGIN;
const targets = ['.add[data-sku=\'tea-3\']', '#count', 'button.save', 'button.empty'];

for (let number = 0; number < count; number += 1) {
  test(`shop ${number}`, async ({ page }) => {
    await page.goto(`${origin}/shop/${number}`);
    await expect(page.locator('form[role=\'search\']')).toBeVisible();
    await expect(page.locator('button.go')).toBeEnabled();
    await expect(page.locator('#teas > li')).toHaveCount(12);
    await expect(page.locator('button.save')).toHaveText('Save basket');
    await expect(page.locator('a.cart')).toHaveAttribute('href', '/cart');
    for (const target of targets) await expect(page.locator(target)).toHaveCount(1);
  });
}
