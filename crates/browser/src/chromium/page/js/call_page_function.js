/**
 * Calls a function that the page has put at a dotted path of its global object.
 *
 * Runs in the page's own world, on its global object, and is sent as it stands, as the declaration of
 * `Runtime.callFunctionOn`. Only own code of the page is reached: nothing is evaluated.
 *
 * @param {string} path
 * @param {...unknown} args
 */
async function call_page_function(path, ...args) {
  let owner;
  let found = this;
  for (const name of path.split('.')) {
    owner = found;
    found = owner === null || owner === undefined ? undefined : owner[name];
  }
  if (typeof found !== 'function') return { missing: true };
  const value = await found.apply(owner, args);
  return { value };
}
