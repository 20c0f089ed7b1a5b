// Evaluates expressions with jsonata.js: one JSON line in (`source`, `scope`), one JSON line out
// (`result`, `error`, or neither when the value is undefined). The folder with `node_modules` is the first argument.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';

const jsonata = createRequire(`${resolve(process.argv[2])}/`)('jsonata');

/**
 * Makes a value fit for JSON: jsonata.js wraps its own functions in objects, which JSON has not, and cuts characters in
 * two, which UTF-8 cannot write.
 */
function forJson(_key, value) {
  if (typeof value === 'string') return value.toWellFormed();
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  if (value._jsonata_function || value._jsonata_lambda) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toWellFormed(), member]));
}

async function answer({ source, scope }) {
  try {
    const result = await jsonata(source).evaluate(scope);
    const text = JSON.stringify(result, forJson);
    return text === undefined ? '{}' : `{"result":${text}}`;
  } catch (error) {
    return JSON.stringify({ error: error.code ?? null });
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${await answer(JSON.parse(line))}\n`);
}
