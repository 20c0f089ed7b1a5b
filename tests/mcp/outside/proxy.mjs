// Adds the token to every request: the conformance suite has no option for one. Host and Origin go through, so that the
// server judges them itself.
//
//     node proxy.mjs PORT TOKEN

import http from 'node:http';

const [, , port, token] = process.argv;
const proxy = http.createServer((request, response) => {
  const here = `localhost:${proxy.address().port}`;
  const there = `localhost:${port}`;
  const translate = (text) => text?.replace(here, there).replace(`127.0.0.1:${proxy.address().port}`, there);
  const headers = { ...request.headers, authorization: `Bearer ${token}`, host: translate(request.headers.host) };
  if (headers.origin) {
    headers.origin = translate(headers.origin);
  }
  const options = { host: '127.0.0.1', port, method: request.method, path: request.url, headers };
  const onward = http.request(options, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
});
proxy.listen(0, '127.0.0.1', () => console.log(proxy.address().port));
