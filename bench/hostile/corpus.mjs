// Reads the cases of the hostile-page corpus from `fixtures/hostile`.
import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const root = fileURLToPath(new URL('../../fixtures/hostile/', import.meta.url));

/** Returns all cases sorted by name, or those whose name contains one of the words in `only`. */
export async function readCases(only = []) {
  const entries = await readdir(root, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();
  const picked = names.filter((name) => only.length === 0 || only.some((word) => name.includes(word)));
  return Promise.all(picked.map(async (name) => ({ name, ...JSON.parse(await readFile(join(root, name, 'case.json'), 'utf8')) })));
}
