/**
 * Registers closed shadow roots and returns the elements that the driver must describe to discover further ones; null
 * when nothing is left to describe or the script is not installed.
 *
 * The driver sends this text unchanged, as the function declaration of `Runtime.callFunctionOn`.
 *
 * @param {boolean} answered whether the driver has described the elements returned by the previous call
 * @param {...Node} roots closed shadow roots
 * @returns {(Element | number)[] | null} elements, each followed by the number of levels to describe below it
 */
function hosts_by_page_script(answered, ...roots) {
  const script = Reflect.get(document, Symbol.for('actions.page_script'));
  return script ? script.hosts(answered, ...roots) : null;
}
