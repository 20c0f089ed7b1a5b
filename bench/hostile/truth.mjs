// Compares the answer of a tool with what the page recorded, and returns a verdict.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const quiet = 200;
const grace = 2000;

/** Reads the records until all assertions hold or the grace period ends, and returns those that do not hold. */
export async function broken(read, assertions) {
  await sleep(quiet);
  for (const end = Date.now() + grace; ; await sleep(50)) {
    const records = inOrder(read());
    const failing = assertions.filter((assertion) => !holds(records, assertion));
    if (failing.length === 0 || Date.now() > end) return failing;
  }
}

/** Sorts records, because beacons can arrive out of order: documents by arrival, the records of each by their number. */
function inOrder(records) {
  const documents = [...new Set(records.map((record) => record.document))];
  return records.toSorted((a, b) => documents.indexOf(a.document) - documents.indexOf(b.document) || (a.seq ?? 0) - (b.seq ?? 0));
}

export function holds(records, assertion) {
  return assertion.fact === undefined ? eventHolds(records, assertion) : factHolds(records, assertion);
}

function factHolds(records, { fact, ...test }) {
  const stated = records.filter((record) => record.fact === fact).map((record) => record.value);
  if ('equals' in test) return stated.length > 0 && isDeepStrictEqual(stated.at(-1), test.equals);
  const said = stated.some((value) => isDeepStrictEqual(value, 'ever' in test ? test.ever : test.never));
  return 'ever' in test ? said : !said;
}

function eventHolds(records, { element, event, at = 'target', trusted = true, count, min, max, value, having = {} }) {
  const seen = records.filter((record) => record.element === element && record.event === event && record.at === at && record.trusted === trusted
    && Object.entries(having).every(([key, wanted]) => isDeepStrictEqual(record[key], wanted)));
  if (count !== undefined && seen.length !== count) return false;
  if (min !== undefined && seen.length < min) return false;
  if (max !== undefined && seen.length > max) return false;
  return value === undefined || (seen.length > 0 && isDeepStrictEqual(seen.at(-1).value, value));
}

/**
 * Returns the verdict for an answer.
 *
 * @param answer `{kind: "success", output}` (no output when the driver returns nothing that could be wrong), `{kind: "refusal", message}`, `{kind: "hang"}` or `{kind: "impossible"}`.
 */
export async function judge(one, answer, read) {
  if (answer.kind === 'hang' || answer.kind === 'impossible') return { verdict: answer.kind };
  const { outcome, output = {} } = one.expect;
  const side = answer.kind === 'success' ? one.truth.on_success : one.truth.on_refusal;
  const failing = await broken(read, [...(one.truth.always ?? []), ...(side ?? [])]);
  if (answer.kind === 'success') {
    // A field that a driver does not return claims nothing.
    const claimed = Object.entries(answer.output ? output : {}).filter(([pointer]) => at(answer.output, pointer) !== undefined);
    const wrong = claimed.filter(([pointer, value]) => !isDeepStrictEqual(at(answer.output, pointer), value));
    if (failing.length > 0 || wrong.length > 0) return { verdict: 'false success', failing: [...failing, ...wrong] };
    return { verdict: outcome === 'refusal' ? 'bold success' : 'success' };
  }
  if (failing.length > 0) return { verdict: 'refused after acting', failing };
  return { verdict: outcome === 'success' ? 'needless refusal' : 'refusal' };
}

function at(value, pointer) {
  return pointer.split('/').slice(1).reduce((inner, key) => inner?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], value);
}
