// Lists the ways to resolve a locator.

/**
 * @typedef {object} Attempt
 * @property {'selector' | 'selectors' | 'fallback_selectors' | 'xpath' | 'role' | 'text'} key
 * @property {string} [expression] the selector or XPath
 */

/**
 * Returns the ways to resolve a locator, in the order in which they are tried.
 *
 * @param {Locator} locator
 * @returns {Attempt[]}
 */
export function attempts(locator) {
  /** @type {Attempt[]} */
  const list = [];
  if (locator.selector !== undefined) list.push({ key: 'selector', expression: locator.selector });
  for (const expression of locator.selectors ?? []) list.push({ key: 'selectors', expression });
  if (locator.xpath !== undefined) list.push({ key: 'xpath', expression: locator.xpath });
  if (list.length === 0) list.push({ key: locator.role === undefined ? 'text' : 'role' });
  for (const expression of locator.fallback_selectors ?? []) list.push({ key: 'fallback_selectors', expression });
  return list;
}
