// Matches regular expressions in time linear in the text; the browser's own can take exponential time.

/**
 * The expressions: characters, `.`, classes (`[a-z]`, `[^x]`), `\d \w \s` and their opposites, `^`, `$`, groups,
 * alternatives, and the repetitions `* + ? {n} {n,} {n,m}`. The rule L004 of the validator accepts the same.
 *
 * @typedef {(test: number) => boolean} Test whether a character, given as code point, belongs to a set
 *
 * @typedef {{kind: 'set', test: Test} | {kind: 'start'} | {kind: 'end'} | {kind: 'all', parts: Tree[]}
 *   | {kind: 'any', parts: Tree[]} | {kind: 'repeat', part: Tree, min: number, max: number}} Tree
 *
 * @typedef {{kind: 'set', test: Test} | {kind: 'start'} | {kind: 'end'} | {kind: 'match'}
 *   | {kind: 'split', to: number[]}} Instruction every instruction but a split goes on to the next one
 *
 * @typedef {object} State a set of places in the program
 * @property {number[]} places
 * @property {boolean} accepts
 * @property {boolean} accepts_at_end
 * @property {Map<number, State>} next by character
 */

/** The longest program, the most states that are kept, and the longest text that is searched. */
const MAX_PROGRAM = 1_000;
const MAX_STATES = 1_000;
export const MAX_PATTERN_TEXT = 200_000;

const DIGIT = /^\p{Nd}$/u;
const WORD = /^[\p{L}\p{M}\p{N}_]$/u;
const SPACE = /^\s$/u;

/** @type {Map<string, Test>} */
const CLASSES = new Map([
  ['d', (c) => DIGIT.test(String.fromCodePoint(c))],
  ['D', (c) => !DIGIT.test(String.fromCodePoint(c))],
  ['w', (c) => WORD.test(String.fromCodePoint(c))],
  ['W', (c) => !WORD.test(String.fromCodePoint(c))],
  ['s', (c) => SPACE.test(String.fromCodePoint(c))],
  ['S', (c) => !SPACE.test(String.fromCodePoint(c))],
]);

const CONTROLS = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/**
 * Compiles a regular expression to a test that searches for a match anywhere in a text.
 *
 * @param {string} source
 * @param {boolean} ignore_case
 * @returns {{ok: (text: string) => boolean} | {fault: string}}
 */
export function compile_pattern(source, ignore_case) {
  try {
    const program = assemble(parse(source, ignore_case));
    return { ok: (text) => search(program, text) };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    throw error;
  }
}

class Fault extends Error {}

/**
 * @param {string} source
 * @param {boolean} ignore_case
 * @returns {Tree}
 */
function parse(source, ignore_case) {
  const letters = Array.from(source);
  let at = 0;
  const tree = alternatives(0);
  if (at < letters.length) throw new Fault('`)` closes no group');
  return tree;

  /** @param {number} depth @returns {Tree} */
  function alternatives(depth) {
    if (depth > 50) throw new Fault('groups are nested too deeply');
    const parts = [sequence(depth)];
    while (letters[at] === '|') {
      at += 1;
      parts.push(sequence(depth));
    }
    return parts.length === 1 ? /** @type {Tree} */ (parts[0]) : { kind: 'any', parts };
  }

  /** @param {number} depth @returns {Tree} */
  function sequence(depth) {
    /** @type {Tree[]} */
    const parts = [];
    while (at < letters.length && letters[at] !== '|' && letters[at] !== ')') parts.push(repeated(depth));
    return { kind: 'all', parts };
  }

  /** @param {number} depth @returns {Tree} */
  function repeated(depth) {
    const part = atom(depth);
    const bounds = repetition();
    if (!bounds) return part;
    if (part.kind === 'start' || part.kind === 'end') throw new Fault('`^` and `$` cannot be repeated');
    if (/^[*+?{]$/.test(letters[at] ?? '')) throw new Fault('a repetition cannot be lazy, possessive or repeated');
    return { kind: 'repeat', part, ...bounds };
  }

  function repetition() {
    switch (letters[at]) {
      case '*':
        at += 1;
        return { min: 0, max: Infinity };
      case '+':
        at += 1;
        return { min: 1, max: Infinity };
      case '?':
        at += 1;
        return { min: 0, max: 1 };
      case '{':
        return counted();
      default:
        return null;
    }
  }

  function counted() {
    const found = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(letters.slice(at, at + 12).join(''));
    if (!found) throw new Fault('`{` starts no repetition; write `\\{` for the character');
    at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === '' ? Infinity : Number(found[3]);
    if (max < min) throw new Fault(`\`${found[0]}\` counts backwards`);
    return { min, max };
  }

  /** @param {number} depth @returns {Tree} */
  function atom(depth) {
    const letter = /** @type {string} */ (letters[at]);
    at += 1;
    switch (letter) {
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '.':
        return set((c) => c !== 10);
      case '(':
        return group(depth);
      case '[':
        return set(char_class());
      case '\\':
        return set(escape());
      case '*':
      case '+':
      case '?':
      case '{':
        throw new Fault(`\`${letter}\` repeats nothing`);
      default:
        return set(one(letter));
    }
  }

  /** @param {number} depth */
  function group(depth) {
    if (letters[at] === '?') {
      if (letters[at + 1] !== ':') throw new Fault('a group starts with `(` or `(?:`');
      at += 2;
    }
    const inner = alternatives(depth + 1);
    if (letters[at] !== ')') throw new Fault('a group is not closed');
    at += 1;
    return inner;
  }

  /** @returns {Test} */
  function escape() {
    const letter = letters[at];
    if (letter === undefined) throw new Fault('`\\` ends the expression');
    at += 1;
    const known = CLASSES.get(letter);
    if (known) return known;
    const control = CONTROLS.get(letter);
    if (control) return one(control);
    if (/[\p{L}\p{N}<>]/u.test(letter) || letter > '~') throw new Fault(`\`\\${letter}\` is not supported`);
    return one(letter);
  }

  /** @returns {Test} */
  function char_class() {
    const negated = letters[at] === '^';
    if (negated) at += 1;
    /** @type {Test[]} */
    const tests = [];
    while (letters[at] !== ']') {
      const letter = letters[at];
      if (letter === undefined) throw new Fault('a class is not closed');
      if (letter === '[') throw new Fault('write `\\[` for the character in a class');
      if (/^(&&|--|~~)$/.test(letter + letters[at + 1])) throw new Fault('classes cannot be combined');
      tests.push(class_item());
    }
    if (tests.length === 0) throw new Fault('a class is empty; write `\\]` for the character');
    at += 1;
    // A negated class with `ignore_case` excludes both cases, so fold before negating.
    const folded = folds((c) => tests.some((test) => test(c)));
    return negated ? (c) => !folded(c) : folded;
  }

  /** @returns {Test} */
  function class_item() {
    const first = class_letter();
    if (typeof first === 'function') return first;
    if (letters[at] !== '-' || letters[at + 1] === ']' || letters[at + 1] === undefined) return (c) => c === first;
    at += 1;
    const last = class_letter();
    if (typeof last === 'function' || last < first) throw new Fault('a range in a class is not valid');
    return (c) => c >= first && c <= last;
  }

  /** @returns {Test | number} */
  function class_letter() {
    const letter = /** @type {string} */ (letters[at]);
    at += 1;
    if (letter !== '\\') return /** @type {number} */ (letter.codePointAt(0));
    const escaped = letters[at] ?? '';
    const test = escape();
    return CLASSES.has(escaped) ? test : /** @type {number} */ ((CONTROLS.get(escaped) ?? escaped).codePointAt(0));
  }

  /** @param {string} letter @returns {Test} */
  function one(letter) {
    const code = letter.codePointAt(0);
    return folds((c) => c === code);
  }

  /** @param {Test} test @returns {Test} */
  function folds(test) {
    if (!ignore_case) return test;
    return (c) => {
      const letter = String.fromCodePoint(c);
      return test(c) || [letter.toLowerCase(), letter.toUpperCase()].some((other) => test(other.codePointAt(0) ?? c));
    };
  }

  /** @param {Test} test @returns {Tree} */
  function set(test) {
    return { kind: 'set', test };
  }
}

/**
 * @param {Tree} tree
 * @returns {Instruction[]}
 */
function assemble(tree) {
  /** @type {Instruction[]} */
  const program = [];
  emit(tree);
  add({ kind: 'match' });
  return program;

  /** @param {Instruction} instruction */
  function add(instruction) {
    if (program.length >= MAX_PROGRAM) throw new Fault('the expression is too large');
    program.push(instruction);
  }

  /** @returns {number[]} where a new split leads; filled in by the caller */
  function split() {
    /** @type {number[]} */
    const to = [];
    add({ kind: 'split', to });
    return to;
  }

  /** @param {Tree} part */
  function emit(part) {
    switch (part.kind) {
      case 'all':
        part.parts.forEach(emit);
        break;
      case 'any':
        emit_any(part.parts);
        break;
      case 'repeat':
        emit_repeat(part);
        break;
      default:
        add(part);
    }
  }

  /** @param {Tree[]} parts */
  function emit_any(parts) {
    const choice = split();
    const exits = parts.map((part) => {
      choice.push(program.length);
      emit(part);
      return split();
    });
    for (const exit of exits) exit.push(program.length);
  }

  /** @param {{part: Tree, min: number, max: number}} repeat */
  function emit_repeat({ part, min, max }) {
    for (let i = 0; i < min; i += 1) emit(part);
    if (max === Infinity) {
      const start = program.length;
      const loop = split();
      loop.push(program.length);
      emit(part);
      split().push(start);
      loop.push(program.length);
      return;
    }
    /** @type {number[][]} */
    const exits = [];
    for (let i = min; i < max; i += 1) {
      const step = split();
      step.push(program.length);
      exits.push(step);
      emit(part);
    }
    for (const exit of exits) exit.push(program.length);
  }
}

/**
 * Searches a text: follows all ways through the program at once, and remembers the sets of places it has met.
 *
 * @param {Instruction[]} program
 * @param {string} text
 */
function search(program, text) {
  /** @type {Map<string, State>} */
  const states = new Map();
  let state = state_of(follow([0], true, false));
  for (const letter of text) {
    if (state.accepts) return true;
    const code = /** @type {number} */ (letter.codePointAt(0));
    let next = state.next.get(code);
    if (!next) {
      next = step(state, code);
      state.next.set(code, next);
    }
    state = next;
  }
  return state.accepts || state.accepts_at_end;

  /**
   * @param {State} from
   * @param {number} code
   */
  function step(from, code) {
    // A match may begin at every character.
    const reached = [0];
    for (const place of from.places) {
      const at = program[place];
      if (at?.kind === 'set' && at.test(code)) reached.push(place + 1);
    }
    return state_of(follow(reached, false, false));
  }

  /**
   * @param {number[]} places
   * @returns {State}
   */
  function state_of(places) {
    const key = places.join();
    const known = states.get(key);
    if (known) return known;
    if (states.size >= MAX_STATES) states.clear();
    const accepts = (/** @type {number[]} */ all) => all.some((place) => program[place]?.kind === 'match');
    /** @type {State} */
    const made = { places, accepts: accepts(places), accepts_at_end: false, next: new Map() };
    made.accepts_at_end = made.accepts || accepts(follow(places, false, true));
    states.set(key, made);
    return made;
  }

  /**
   * Returns every place that can be reached without a character, in order.
   *
   * @param {number[]} from
   * @param {boolean} at_start
   * @param {boolean} at_end
   */
  function follow(from, at_start, at_end) {
    /** @type {Set<number>} */
    const seen = new Set();
    const pending = [...from];
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (seen.has(place)) continue;
      seen.add(place);
      const at = program[place];
      if (at?.kind === 'split') pending.push(...at.to);
      else if ((at?.kind === 'start' && at_start) || (at?.kind === 'end' && at_end)) pending.push(place + 1);
    }
    return [...seen].sort((a, b) => a - b);
  }
}
