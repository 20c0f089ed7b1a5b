/**
 * Gives the page script of the world it runs in; null when it is not installed.
 *
 * Sent as it stands, as the declaration of `Runtime.callFunctionOn`.
 */
function page_script() {
  return Reflect.get(globalThis, Symbol.for('actions.page_script')) ?? null;
}
