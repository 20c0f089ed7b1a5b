// Serves the pages, and performs the flow through the server that each line of standard input names. See ../README.md.
//
//     node compare.mjs ACTIONS

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const actions = process.argv[2];
const names = ['chromium', 'chromium-browser', 'google-chrome'];
const found = process.env.PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
const chromium = process.env.ACTIONS_BROWSER ?? found.find(existsSync);

const server = http.createServer((request, response) => {
  const page = { '/': 'index.html', '/rows.html': 'rows.html' }[request.url];
  response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
  response.end(page ? readFileSync(join(here, 'pages', page)) : '');
});
await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
const origin = `http://127.0.0.1:${server.address().port}`;
const map = join(mkdtempSync(join(tmpdir(), 'mcp-bench-')), 'actions.json');
writeFileSync(map, readFileSync(join(here, 'actions.json'), 'utf8').replaceAll('https://prints.example', origin));

console.log(JSON.stringify({ ready: { chromium } }));
for await (const name of createInterface({ input: process.stdin })) {
  const race = spawn(process.execPath, [join(here, 'race.mjs'), name, origin, chromium, actions, map], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  race.stdout.on('data', (part) => { said += part; });
  await new Promise((resolve) => { race.on('close', resolve); });
  console.log(said.trim() || JSON.stringify({ failed: name }));
}
server.close();
