// The layer over the page that holds attachments: one element after the body, with a closed shadow root. Page styles end
// at it, and no page script can look inside.

const STYLE = `
:host { all: initial !important; position: fixed !important; inset: 0 !important; z-index: 2147483647 !important;
  pointer-events: none !important; display: block !important; overflow: visible !important; }
* { box-sizing: border-box; font: 13px/1.4 system-ui, sans-serif; }
.item { position: absolute; pointer-events: auto; max-width: min(280px, 90vw); margin: 0; padding: 3px 9px;
  border: 1px solid #0000; border-radius: 999px; background: #1f2430; color: #fff; border-color: #ffffff40;
  box-shadow: 0 1px 4px #0006; text-align: left; overflow-wrap: anywhere; }
.item.on_dark, .overlay.on_dark { background: #fff; color: #14171f; border-color: #00000040; }
button.item { cursor: pointer; }
button.item:hover { filter: brightness(1.25); }
button.item.on_dark:hover { filter: brightness(0.92); }
button:focus-visible { outline: 3px solid #4c8dff; outline-offset: 2px; }
.annotation { border-radius: 8px; padding: 5px 10px; }
.status_badge { font-weight: 600; font-size: 12px; }
.hidden { display: none; }
.overlay { position: fixed; pointer-events: auto; right: 16px; bottom: 16px; width: min(420px, calc(100vw - 32px));
  height: min(320px, calc(100vh - 32px)); display: flex; flex-direction: column; background: #1f2430; color: #fff;
  border: 1px solid #ffffff40; border-radius: 10px; overflow: hidden; box-shadow: 0 8px 30px #0008; }
.overlay header { display: flex; align-items: center; gap: 8px; padding: 8px 8px 8px 14px; font-weight: 600; }
.overlay header span { flex: 1; font-weight: 600; overflow-wrap: anywhere; }
.overlay header button { font-size: 16px; line-height: 1; padding: 4px 9px; border: 0; border-radius: 6px; background: #8884;
  color: inherit; cursor: pointer; }
.overlay iframe { flex: 1; border: 0; background: #fff; color-scheme: light; }
.aside .item, .aside .overlay, .aside * { pointer-events: none !important; }
`;

/** How long attachments stand aside after a gesture of the driver, in milliseconds. */
const ASIDE = 3_000;

/** @type {{host: HTMLElement, root: ShadowRoot, stage: HTMLElement} | null} */
let layer = null;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let aside;

/** Returns the closed root of the layer, which is no part of the page. */
export function attachment_root() {
  return layer?.root ?? null;
}

/** Returns the element that attachments are added to. Puts the layer back if the page has taken it away. */
export function attachment_stage() {
  if (!layer) {
    const host = document.createElement('actions-attachments');
    const root = host.attachShadow({ mode: 'closed' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    // A style sheet that a script constructs is not subject to the page's content security policy.
    root.adoptedStyleSheets = [sheet];
    const stage = document.createElement('div');
    root.append(stage);
    layer = { host, root, stage };
  }
  if (!layer.host.isConnected) document.documentElement.append(layer.host);
  return layer.stage;
}

/** Takes the layer away when nothing is on it. */
export function remove_empty_layer() {
  if (layer && layer.stage.childElementCount === 0) layer.host.remove();
}

/** Lets the pointer pass through attachments while the driver acts: its clicks are for the page. */
export function stand_aside() {
  if (!layer?.host.isConnected) return;
  const { stage } = layer;
  stage.classList.add('aside');
  clearTimeout(aside);
  aside = setTimeout(() => stage.classList.remove('aside'), ASIDE);
}
