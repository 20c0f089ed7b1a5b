/**
 * Returns the page script installed in the current document; null when it is not installed.
 *
 * The driver sends this text unchanged, as the function declaration of `Runtime.callFunctionOn`.
 */
function page_script() {
  return Reflect.get(document, Symbol.for('actions.page_script')) ?? null;
}
