import { create_tree_walker } from '../native/document.js';
import { shadow_host } from '../native/element.js';
import { is_element, is_shadow_root } from '../native/kind.js';
import { root_node } from '../native/node.js';

/**
 * Puts what was found in a root and in the shadow roots below it into the order of the composed tree, where what is in a
 * shadow root comes right after its host. What was found in each root is in order already, so every root is walked once
 * at most; comparing elements with each other would take the square of their number.
 *
 * @param {Root} root
 * @param {Map<Root, Iterable<Element>>} runs what was found, by root
 * @returns {Element[]}
 */
export function composed_runs(root, runs) {
  /** The shadow roots in which something was found, or in one below them, by host. @type {Map<Element, ShadowRoot>} */
  const inner = new Map();
  /** The trees that have such hosts. @type {Set<Node>} */
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
