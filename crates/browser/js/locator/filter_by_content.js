// Filters elements by the elements inside them.

/**
 * Keeps the elements that contain a match of `has` and no match of `not`.
 *
 * @param {Element[]} elements
 * @param {Locator} locator
 * @param {(inner: Locator, base: Element) => {ok: {elements: Element[]}} | Refusal} resolve_in resolves a locator inside an element
 * @returns {{ok: Element[]} | Refusal}
 */
export function filter_by_content(elements, { has, not }, resolve_in) {
  if (!has && !not) return { ok: elements };
  const kept = [];
  for (const element of elements) {
    const wanted = has ? contains(element, has) : { ok: true };
    if ('error' in wanted) return wanted;
    const unwanted = wanted.ok && not ? contains(element, not) : { ok: false };
    if ('error' in unwanted) return unwanted;
    if (wanted.ok && !unwanted.ok) kept.push(element);
  }
  return { ok: kept };

  /**
   * @param {Element} element
   * @param {Locator} inner
   * @returns {{ok: boolean} | Refusal}
   */
  function contains(element, inner) {
    const found = resolve_in(inner, element);
    return 'error' in found ? found : { ok: found.ok.elements.length > 0 };
  }
}
