// Fills table.json with what jsonata.js gives for every case in cases.json.
// Run `npm install --no-package-lock && npm run generate` in this folder after a change of the cases.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import jsonata from "jsonata";

const here = (name) => new URL(name, import.meta.url);
const { scopes, groups } = JSON.parse(readFileSync(here("cases.json"), "utf8"));
const { version } = createRequire(import.meta.url)("jsonata/package.json");

/** Functions are no JSON; JSON.stringify leaves them out, but jsonata.js wraps its own in objects. */
const withoutFunctions = (_key, value) =>
  value !== null && typeof value === "object" && (value._jsonata_function || value._jsonata_lambda)
    ? undefined
    : value;

async function evaluate(expression, scope) {
  try {
    const result = await jsonata(expression).evaluate(structuredClone(scope));
    const text = JSON.stringify(result, withoutFunctions);
    return text === undefined ? { undefined: true } : { result: JSON.parse(text) };
  } catch (error) {
    return { error: error.code ?? null };
  }
}

const rows = [];
for (const [group, cases] of Object.entries(groups)) {
  for (const entry of cases) {
    const { expression, scope } = typeof entry === "string" ? { expression: entry, scope: "workflow" } : entry;
    rows.push({ group, expression, scope, ...(await evaluate(expression, scopes[scope])) });
  }
}

const lines = rows.map((row) => "    " + JSON.stringify(row)).join(",\n");
const head = `{\n  "jsonata": "${version}",\n  "scopes": ${JSON.stringify(scopes)},\n  "rows": [\n`;
writeFileSync(here("table.json"), `${head}${lines}\n  ]\n}\n`);
console.log(`${rows.length} rows from jsonata.js ${version}`);
