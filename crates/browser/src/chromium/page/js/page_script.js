/**
 * Returns the page script installed in this world; null when it is not installed.
 *
 * The driver sends this text unchanged, as the function declaration of `Runtime.callFunctionOn`.
 */
function page_script() {
  return Reflect.get(globalThis, Symbol.for('actions.page_script')) ?? null;
}
