// Finds the shadow root of an element, including closed roots that the driver has registered.

import { shadow_host, shadow_root } from '../native/element.js';

/**
 * Closed roots that the driver has registered, by host. Scripts cannot find closed roots, so an entry is kept as long
 * as its host lives.
 *
 * @type {WeakMap<Element, ShadowRoot>}
 */
const closed_roots = new WeakMap();

let closed_roots_known = 0;

/**
 * Makes a closed root reachable for this call and all later ones.
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
 * Returns the open shadow root of an element, or its closed one if the driver has registered it; null otherwise.
 *
 * @param {Element} element
 * @returns {ShadowRoot | null}
 */
export function shadow_of(element) {
  const open = shadow_root(element);
  if (open || closed_roots_known === 0) return open;
  return closed_roots.get(element) ?? null;
}
