// Serves the hostile-page corpus on loopback under three origins and collects the records of `truth.js`.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './corpus.mjs';

const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.json': 'application/json', '.txt': 'text/plain; charset=utf-8' };
const arrived = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Arrived</title><p id="arrived">Arrived</p></html>\n';

/** Starts the server. `cases` define the headers and delays of their files. */
export async function serve(cases) {
  const serving = new Map(cases.map((one) => [one.name, one.serve ?? {}]));
  const truths = new Map();
  const collect = (name, record) => truths.set(name, [...(truths.get(name) ?? []), record]);

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      response.writeHead(error.code === 'ENOENT' || error.code === 'EISDIR' ? 404 : 500, { 'Content-Type': 'text/plain' });
      response.end(`${error.message}\n`);
    });
  });

  async function answer(request, response) {
    const url = new URL(request.url, 'http://127.0.0.1');
    const name = url.searchParams.get('case');
    if (url.pathname === '/favicon.ico') return end(response, 204, {}, '');
    if (url.pathname === '/__truth') {
      if (request.method === 'GET') return end(response, 200, { 'Content-Type': types['.json'] }, JSON.stringify(truths.get(name) ?? []));
      collect(name, JSON.parse(await body(request)));
      return end(response, 204, {}, '');
    }
    if (url.pathname === '/__hit') {
      const value = request.method === 'POST' ? Object.fromEntries(new URLSearchParams(await body(request))) : null;
      collect(name, { element: url.searchParams.get('element'), event: url.searchParams.get('event'), trusted: true, at: 'server', value });
      return end(response, 200, { 'Content-Type': types['.html'] }, arrived);
    }
    const parts = url.pathname.split('/').slice(1);
    const file = parts.at(-1) || 'index.html';
    const rules = serving.get(parts[0]) ?? {};
    const text = await readFile(join(root, ...parts.slice(0, -1), file), 'utf8');
    const headers = { 'Content-Type': types[extname(file)] ?? 'application/octet-stream', 'Cache-Control': 'no-store' };
    for (const [header, value] of Object.entries(rules.headers?.[file] ?? {})) headers[header] = fill(value);
    await sleep(rules.delays?.[file] ?? 0);
    end(response, 200, headers, extname(file) === '.html' ? fill(text) : text);
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  const origins = { origin: `http://127.0.0.1:${port}`, other_origin: `http://localhost:${port}`, third_origin: `http://third.localhost:${port}` };
  const fill = (text) => text.replace(/\{\{(origin|other_origin|third_origin)\}\}/g, (_, key) => origins[key]);

  return {
    url: (name) => `${origins.origin}/${name}/index.html`,
    fill,
    truth: (name) => truths.get(name) ?? [],
    forget: (name) => truths.delete(name),
    close: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}

function end(response, status, headers, text) {
  response.writeHead(status, headers);
  response.end(text);
}

async function body(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
