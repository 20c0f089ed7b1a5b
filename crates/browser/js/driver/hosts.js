/**
 * Gives what the browser is to describe so that the closed shadow roots of the document show, and takes in those that are
 * handed over; null when there is nothing to ask or the script is not installed.
 *
 * Sent as it stands, as the declaration of `Runtime.callFunctionOn`.
 *
 * @param {boolean} answered whether the browser has told of what was given last
 * @param {...Node} roots closed shadow roots
 * @returns {(Element | number)[] | null} elements, each followed by the number of levels below it
 */
function hosts_by_page_script(answered, ...roots) {
  const script = Reflect.get(globalThis, Symbol.for('actions.page_script'));
  return script ? script.hosts(answered, ...roots) : null;
}
