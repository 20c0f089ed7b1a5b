// Captures DOM getters, setters and methods from their prototypes. A page can shadow properties of single nodes, for
// example with `<input name="parentNode">` in a form or `<img name="body">` in a document; captured functions are
// immune to that.

/**
 * Captures the getter of a DOM property.
 *
 * @template {object} T
 * @template {keyof T & string} K
 * @param {T} prototype
 * @param {K} name
 * @returns {(node: T) => T[K]}
 */
export function capture_getter(prototype, name) {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (!get) throw new Error(`this browser has no ${prototype.constructor.name}.${name}`);
  return (node) => get.call(node);
}

/**
 * Captures the setter of a DOM property.
 *
 * @template {object} T
 * @template {keyof T & string} K
 * @param {T} prototype
 * @param {K} name
 * @returns {(node: T, value: T[K]) => void}
 */
export function capture_setter(prototype, name) {
  const set = Object.getOwnPropertyDescriptor(prototype, name)?.set;
  if (!set) throw new Error(`this browser cannot set ${prototype.constructor.name}.${name}`);
  return (node, value) => set.call(node, value);
}

/**
 * Captures a DOM method as a function whose first argument is the node.
 *
 * @template {object} T
 * @template {keyof T & string} K
 * @param {T} prototype
 * @param {K} name
 * @returns {T[K] extends (...args: infer A) => infer R ? (node: T, ...args: A) => R : never}
 */
export function capture_method(prototype, name) {
  const method = Object.getOwnPropertyDescriptor(prototype, name)?.value;
  if (typeof method !== 'function') throw new Error(`this browser has no ${prototype.constructor.name}.${name}()`);
  return /** @type {any} */ (Function.prototype.call.bind(method));
}
