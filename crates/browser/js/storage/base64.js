// Converts between bytes and base64.

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function to_base64(bytes) {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8_192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(binary);
}

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function from_base64(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
