// `page.fetch`: requests a URL of the page's own origin with the page's cookies.

import { ok, refuse } from '../answer/answer.js';
import { base_uri } from '../native/document.js';
import { listen, unlisten } from '../native/node.js';

/** @type {RequestInit} */
const OWN_ORIGIN = { credentials: 'include', mode: 'same-origin' };

/**
 * Fetches a URL of the page's own origin with its cookies, as the page itself would.
 *
 * @param {{url: string, max_bytes?: number, timeout_ms?: number}} args
 */
export async function page_fetch({ url, max_bytes = 2_000_000, timeout_ms = 10_000 }) {
  /** @type {URL} */
  let address;
  try {
    address = new URL(url, base_uri(document));
  } catch {
    return refuse('page_fetch_failed', `\`${url}\` is not a valid URL`, { url });
  }
  const { href, origin } = address;
  if (origin !== location.origin || origin === 'null') return refuse_origin(href);
  const stop = new AbortController();
  let forbidden = false;
  const on_violation = (/** @type {SecurityPolicyViolationEvent} */ event) => {
    if (event.disposition !== 'enforce') return;
    forbidden ||= event.effectiveDirective === 'connect-src' || event.effectiveDirective === 'default-src';
  };
  listen(document, 'securitypolicyviolation', /** @type {any} */ (on_violation));
  const timer = setTimeout(() => stop.abort(), timeout_ms);
  try {
    // With `mode: 'same-origin'` the browser sends nothing to another origin, not even after a redirect.
    const response = await fetch(href, { ...OWN_ORIGIN, signal: stop.signal });
    const bytes = await read_body(response, max_bytes);
    if (!bytes) {
      const length = response.headers.get('content-length');
      return refuse('payload_too_large', `the response body of \`${href}\` is larger than ${max_bytes} bytes (max_bytes)`, {
        url: response.url,
        max_bytes,
        content_length: length,
        narrowing_hints: ['fetch a URL with a smaller response', 'raise max_bytes'],
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
      return refuse('timeout', `the response from \`${href}\` was not complete within ${timeout_ms} ms`, { url: href, timeout_ms });
    }
    // The browser reports policy violations in a separate task, so wait for the next one.
    await new Promise((done) => setTimeout(done, 0));
    if (forbidden) {
      return refuse('page_fetch_failed', 'the content security policy of the page blocked the request', {
        url: href,
        reason: 'content_security_policy',
      });
    }
    // The browser does not tell scripts which of the two happened, and finding out would take a second request.
    return refuse(
      'page_fetch_failed',
      `\`${href}\` could not be fetched: the connection failed, or the server redirected to another origin`,
      { url: href, reason },
    );
  } finally {
    clearTimeout(timer);
    stop.abort();
    unlisten(document, 'securitypolicyviolation', /** @type {any} */ (on_violation));
  }
}

/** @param {string} url */
function refuse_origin(url) {
  return refuse('page_fetch_cross_origin', `\`${url}\` is not of the page's own origin \`${location.origin}\``, {
    url,
    origin: location.origin,
  });
}

/**
 * Reads a response body chunk by chunk; returns null as soon as it exceeds the limit.
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
 * Returns bytes as text when they are valid UTF-8, and as base64 otherwise.
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
