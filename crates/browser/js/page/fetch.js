import { ok, refuse } from '../answer/answer.js';
import { base_uri } from '../native/document.js';
import { listen, unlisten } from '../native/node.js';

/** @type {RequestInit} */
const OWN_ORIGIN = { credentials: 'include', mode: 'same-origin' };

/**
 * Fetches an address of the page's own origin, with its cookies, as the page would.
 *
 * @param {{url: string, max_bytes?: number, timeout_ms?: number}} args
 */
export async function page_fetch({ url, max_bytes = 2_000_000, timeout_ms = 10_000 }) {
  /** @type {URL} */
  let address;
  try {
    address = new URL(url, base_uri(document));
  } catch {
    return refuse('page_fetch_failed', `\`${url}\` is not an address`, { url });
  }
  const { href, origin } = address;
  if (origin !== location.origin || origin === 'null') return refuse_origin(href, origin);
  const stop = new AbortController();
  let forbidden = false;
  const on_violation = (/** @type {SecurityPolicyViolationEvent} */ event) => {
    if (event.disposition !== 'enforce') return;
    forbidden ||= event.effectiveDirective === 'connect-src' || event.effectiveDirective === 'default-src';
  };
  listen(document, 'securitypolicyviolation', /** @type {any} */ (on_violation));
  const timer = setTimeout(() => stop.abort(), timeout_ms);
  try {
    // In this mode the browser sends nothing to another origin, not even after a redirect.
    const response = await fetch(href, { ...OWN_ORIGIN, signal: stop.signal });
    const bytes = await read_body(response, max_bytes);
    if (!bytes) {
      const length = response.headers.get('content-length');
      return refuse('payload_too_large', `the body of \`${href}\` is over ${max_bytes} bytes`, {
        url: response.url,
        max_bytes,
        content_length: length,
        narrowing_hints: ['fetch a smaller address', 'raise max_bytes'],
      });
    }
    return ok({
      ok: response.ok,
      status: response.status,
      content_type: response.headers.get('content-type'),
      length: bytes.length,
      ...as_text(bytes),
      url: response.url,
      redirected: response.redirected,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (stop.signal.aborted) {
      return refuse('timeout', `\`${href}\` was not read within ${timeout_ms} ms`, { url: href, timeout_ms });
    }
    // The policy is reported by a task of its own.
    await new Promise((done) => setTimeout(done, 0));
    if (forbidden) {
      return refuse('page_fetch_failed', 'the content security policy of the page forbids the request', {
        url: href,
        reason: 'content_security_policy',
      });
    }
    // The browser does not tell a script which of the two it was, and asking again would be a second request.
    return refuse(
      'page_fetch_failed',
      `\`${href}\` could not be fetched: the connection failed, or a redirect leads away from the origin of the page`,
      { url: href, reason },
    );
  } finally {
    clearTimeout(timer);
    stop.abort();
    unlisten(document, 'securitypolicyviolation', /** @type {any} */ (on_violation));
  }
}

/**
 * @param {string} url
 * @param {string} origin
 */
function refuse_origin(url, origin) {
  return refuse('page_fetch_cross_origin', `\`${origin}\` leads away from the origin of the page`, {
    url,
    origin: location.origin,
  });
}

/**
 * Reads a body piece by piece; null as soon as it is longer than allowed.
 *
 * @param {Response} response
 * @param {number} max_bytes
 * @returns {Promise<Uint8Array<ArrayBuffer> | null>}
 */
async function read_body(response, max_bytes) {
  const reader = response.body?.getReader();
  /** @type {Uint8Array[]} */
  const pieces = [];
  let length = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > max_bytes) return null;
    pieces.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * Gives bytes as text when they are UTF-8, and in base64 otherwise.
 *
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {{body: string, body_encoding: 'utf8' | 'base64'}}
 */
function as_text(bytes) {
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), body_encoding: 'utf8' };
  } catch {
    let binary = '';
    for (let at = 0; at < bytes.length; at += 8_192) {
      binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
    }
    return { body: btoa(binary), body_encoding: 'base64' };
  }
}
