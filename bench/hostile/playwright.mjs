// Runs a case of the hostile-page corpus with Playwright, as its user would write it.
import { chromium } from 'playwright-core';
import { createRequire } from 'node:module';

const { version } = createRequire(import.meta.url)('playwright-core/package.json');

export const name = 'playwright';

/** Starts the browser and returns a peer that runs one case at a time, each in a fresh context. */
export async function start(executablePath) {
  const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox'] });
  return {
    version,
    browserVersion: browser.version(),
    async open(url, deadline, one) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
      const page = await context.newPage();
      context.setDefaultTimeout(deadline);
      const answered = answerDialog(page, one);
      await page.goto(url, { timeout: 10_000 });
      return {
        perform: (step) => (step.primitive === 'browser.dismiss_dialog' ? answered() : perform(page, step)),
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

/** Playwright dismisses a dialog unless a handler was installed before it opened, so install one for cases that answer dialogs. */
function answerDialog(page, one) {
  const step = one.perform.find(({ primitive }) => primitive === 'browser.dismiss_dialog');
  let answer = { kind: 'refusal', message: 'no dialog came' };
  if (step) {
    page.once('dialog', async (dialog) => {
      await (step.args.accept ? dialog.accept() : dialog.dismiss());
      answer = { kind: 'success' };
    });
  }
  return async () => answer;
}

async function perform(page, { primitive, args }) {
  const action = actions[primitive];
  if (!action) return { kind: 'impossible' };
  try {
    return { kind: 'success', output: await action(page, args) };
  } catch (error) {
    return { kind: 'refusal', message: error.message.replaceAll(/\u001b\[\d+m/g, '') };
  }
}

/** Converts a locator to Playwright's: CSS, role or text, inside a chain of frames. */
function locate(page, { selector, role, name, text, text_equals, text_contains, frame = [], nth }) {
  const inside = [frame].flat().reduce((at, css) => at.frameLocator(css), page);
  let locator;
  if (selector !== undefined) locator = inside.locator(selector).filter(text_equals === undefined ? {} : { hasText: new RegExp(`^\\s*${text_equals}\\s*$`) });
  else if (role !== undefined) locator = inside.getByRole(role, { name, exact: true });
  else locator = inside.getByText(text_equals ?? text ?? text_contains, { exact: text_equals !== undefined });
  return nth === undefined ? locator : locator.nth(nth);
}

/** Drags through points with the mouse, since `dragTo` goes straight. */
async function dragThrough(page, from, points, to) {
  const centre = async (end) => {
    const { x, y, width, height } = await locate(page, end).boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  };
  const [start, ...stops] = [await centre(from), ...points, await centre(to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  for (const { x, y } of stops) await page.mouse.move(x, y, { steps: 4 });
  await page.mouse.up();
}

const modifierNames = { shift: 'Shift', control: 'Control', alt: 'Alt', meta: 'Meta' };

const actions = {
  'pointer.click': (page, { locator, x, y, button, modifiers = [] }) => {
    if (!locator) return page.mouse.click(x, y, { button });
    return locate(page, locator).click({ button, modifiers: modifiers.map((modifier) => modifierNames[modifier]) });
  },
  'pointer.double_click': (page, { locator }) => locate(page, locator).dblclick(),
  'pointer.move': (page, { locator }) => locate(page, locator).hover(),
  'pointer.drag': (page, { from, to, points }) => (points ? dragThrough(page, from, points, to) : locate(page, from).dragTo(locate(page, to))),
  'text.insert': (page, { target, text }) => locate(page, target).fill(text),
  'text.type': (page, { target, text }) => (target ? locate(page, target).pressSequentially(text) : page.keyboard.type(text)),
  'keyboard.press': async (page, { key, repeat = 1 }) => {
    for (let i = 0; i < repeat; i++) await page.keyboard.press(key);
  },
  'dom.focus': (page, { locator }) => locate(page, locator).focus(),
  'viewport.scroll': (page, { locator, delta_x = 0, delta_y = 0 }) => (locator ? locate(page, locator).scrollIntoViewIfNeeded() : page.mouse.wheel(delta_x, delta_y)),
  'form.select_option': (page, { locator, value, values, label }) => {
    const wanted = values ?? (value === undefined ? { label } : { value });
    return locate(page, locator).selectOption(wanted).then(() => undefined);
  },
  'form.set_checked': (page, { locator, checked }) => locate(page, locator).setChecked(checked),
  'locator.wait_for': (page, { locator, state, timeout_ms }) => locate(page, locator).waitFor({ state, timeout: timeout_ms }),
  'locator.text_content': async (page, { locator }) => ({ text: (await locate(page, locator).textContent()).replaceAll(/\s+/g, ' ').trim() }),
  'locator.value': async (page, { locator }) => ({ value: await locate(page, locator).inputValue() }),
  'browser.navigate': async (page, { url }) => {
    await page.goto(url);
  },
  'browser.back': async (page) => {
    await page.goBack();
  },
};
