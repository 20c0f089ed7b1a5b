/**
 * Gives the first element a locator means, for a handle; null when there is none or the script is not installed.
 *
 * Sent as it stands, as the declaration of `Runtime.callFunctionOn`.
 *
 * @param {string} locator_text the locator as JSON text
 * @param {...Node} nodes handles
 * @returns {Element | null}
 */
function pick_by_page_script(locator_text, ...nodes) {
  const script = Reflect.get(globalThis, Symbol.for('actions.page_script'));
  return script ? script.pick(locator_text, ...nodes) : null;
}
