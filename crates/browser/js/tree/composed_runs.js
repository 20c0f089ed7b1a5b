// Merges matches from several shadow roots into document order.

import { create_tree_walker } from '../native/document.js';
import { shadow_host } from '../native/element.js';
import { is_element, is_shadow_root } from '../native/kind.js';
import { root_node } from '../native/node.js';

/**
 * Merges the matches of a root and of the shadow roots below it into the order of the composed tree, in which the
 * content of a shadow root follows its host. The matches of each root are already in order, so this walks each root at
 * most once; comparing elements pairwise would take quadratic time.
 *
 * @param {Root} root
 * @param {Map<Root, Iterable<Element>>} runs the matches, by root
 * @returns {Element[]}
 */
export function composed_runs(root, runs) {
  /** The shadow roots that contain matches, directly or in nested roots, by host. @type {Map<Element, ShadowRoot>} */
  const inner = new Map();
  /** The trees that contain these hosts. @type {Set<Node>} */
  const holders = new Set();
  for (const shadow of runs.keys()) {
    /** @type {Node} */
    let at = shadow;
    while (at !== root && is_shadow_root(at)) {
      const host = shadow_host(at);
      if (inner.has(host)) break;
      inner.set(host, at);
      at = root_node(host);
      holders.add(at);
    }
  }
  /** @type {Element[]} */
  const ordered = [];
  add(root, is_element(root) ? root_node(root) : root);
  return ordered;

  /**
   * @param {Root} tree
   * @param {Node} holder the tree itself, or the one it is part of
   */
  function add(tree, holder) {
    const found = runs.get(tree) ?? [];
    if (!holders.has(holder)) {
      for (const element of found) ordered.push(element);
      return;
    }
    const own = new Set(found);
    if (is_element(tree)) visit(tree);
    const walker = create_tree_walker(document, tree, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      visit(/** @type {Element} */ (node));
    }

    /** @param {Element} element */
    function visit(element) {
      if (own.has(element)) ordered.push(element);
      const shadow = inner.get(element);
      if (shadow) add(shadow, shadow);
    }
  }
}
