/**
 * Calls a function that the page has defined at a dotted path of its global object.
 *
 * Runs in the page's own world with the global object as `this`. The driver sends this text unchanged, as the function
 * declaration of `Runtime.callFunctionOn`. It only calls existing functions and evaluates no code.
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
