/**
 * Returns the HTTP status of the response that this document came with; 0 when it came without one.
 *
 * The driver sends this text unchanged, as the function declaration of `Runtime.callFunctionOn`.
 */
function response_status() {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation?.responseStatus ?? 0;
}
