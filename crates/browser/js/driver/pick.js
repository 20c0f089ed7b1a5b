/**
 * Returns the element that a locator resolves to, so that the driver can keep a handle to it; null when none matches or
 * the script is not installed.
 *
 * The driver sends this text unchanged, as the function declaration of `Runtime.callFunctionOn`.
 *
 * @param {string} locator_text the locator as JSON text
 * @param {...Node} nodes handles
 * @returns {Element | null}
 */
function pick_by_page_script(locator_text, ...nodes) {
  const script = Reflect.get(document, Symbol.for('actions.page_script'));
  return script ? script.pick(locator_text, ...nodes) : null;
}
