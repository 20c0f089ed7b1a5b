import { shadow_host, shadow_root } from '../native/element.js';

/**
 * Closed roots that the driver has handed over, by host. A closed root cannot be found from inside the page, so what
 * was learnt once is kept for as long as the host lives.
 *
 * @type {WeakMap<Element, ShadowRoot>}
 */
const closed_roots = new WeakMap();

let closed_roots_known = 0;

/**
 * Makes a closed root reachable for this and all later calls.
 *
 * @param {ShadowRoot} root
 */
export function adopt_closed_root(root) {
  const host = shadow_host(root);
  if (shadow_root(host) || closed_roots.has(host)) return;
  closed_roots.set(host, root);
  closed_roots_known += 1;
}

/**
 * Gives the shadow root of an element: its open one, or a closed one that was handed over.
 *
 * @param {Element} element
 * @returns {ShadowRoot | null}
 */
export function shadow_of(element) {
  const open = shadow_root(element);
  if (open || closed_roots_known === 0) return open;
  return closed_roots.get(element) ?? null;
}
