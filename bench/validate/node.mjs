// The validation benchmark with Node: JSON.parse, ajv with the JSON Schema of actions.json, and jsonata.js for every slot.
// Each line on standard input starts one round, which prints one line of JSON.
//
//     node node.mjs MAP SCHEMA

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { performance } from "node:perf_hooks";
import Ajv2020 from "ajv/dist/2020.js";
import jsonata from "jsonata";

const [, , mapFile, schemaFile] = process.argv;
const bytes = readFileSync(mapFile);
const schema = JSON.parse(readFileSync(schemaFile, "utf8"));

// Not measured: a program compiles the schema once, when it starts.
const beforeCompile = performance.now();
const ajv = new Ajv2020({ strict: false });
const validate = ajv.compile(schema);
const schemaCompile = performance.now() - beforeCompile;

/** Compiles every slot below a value and returns how many there were. */
function compileSlots(value) {
  if (typeof value === "string") {
    const text = value.trim();
    if (!text.startsWith("{%") || !text.endsWith("%}")) return 0;
    jsonata(text.slice(2, -2));
    return 1;
  }
  if (value === null || typeof value !== "object") return 0;
  let slots = 0;
  for (const member of Object.values(value)) slots += compileSlots(member);
  return slots;
}

function round() {
  const start = performance.now();
  const map = JSON.parse(bytes.toString("utf8"));
  const parsed = performance.now();
  const valid = validate(map);
  const checked = performance.now();
  const slots = compileSlots(map);
  const end = performance.now();
  if (!valid) throw new Error(ajv.errorsText(validate.errors));
  return {
    ms: end - start,
    slots,
    parts: { "JSON.parse": parsed - start, ajv: checked - parsed, jsonata: end - checked },
  };
}

console.log(JSON.stringify({ ready: { "ajv.compile": schemaCompile } }));
for await (const _ of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(round()));
}
