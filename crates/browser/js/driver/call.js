/**
 * Calls a function of the page script; returns null when the script is not installed in this document.
 *
 * The driver sends this text unchanged, as the function declaration of `Runtime.callFunctionOn`.
 *
 * @param {string} name
 * @param {string} args_text the arguments as JSON text
 * @param {...Node} nodes handles
 * @returns {string | Promise<string> | null}
 */
function call_page_script(name, args_text, ...nodes) {
  const script = Reflect.get(document, Symbol.for('actions.page_script'));
  return script ? script.call(name, args_text, ...nodes) : null;
}
