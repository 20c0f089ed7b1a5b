// Serves the pages of generated maps, which are in their recordings. Prints its port as JSON, and ends with its input.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
const pages = new Map();

function page(number) {
  if (!pages.has(number)) {
    const har = readFileSync(join(folder, `shop-${String(number).padStart(4, '0')}`, 'recordings/page.har'), 'utf8');
    pages.set(number, JSON.parse(har).log.entries[0].response.content.text);
  }
  return pages.get(number);
}

const server = createServer((request, response) => {
  const number = /^\/shop\/(\d+)$/.exec(request.url)?.[1];
  if (number === undefined) return response.writeHead(204).end();
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(Number(number)));
});
server.listen(Number(process.argv[3] ?? 0), '127.0.0.1', () => console.log(JSON.stringify({ ready: { port: server.address().port } })));
process.stdin.resume().on('end', () => process.exit(0));
