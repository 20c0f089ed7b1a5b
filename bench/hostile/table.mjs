// Renders the report of `peers.mjs` as Markdown.
const verdicts = [
  ['success', 'did it, and it is true'],
  ['refusal', 'refused, rightly, and left things alone'],
  ['false success', 'said it was done; the page knows it was not'],
  ['needless refusal', 'refused what a person can do'],
  ['bold success', 'really did what a careful engine refuses'],
  ['refused after acting', 'refused, but had already changed something'],
  ['hang', 'no answer within the deadline and a second'],
  ['impossible', 'has no such action'],
];

export function render({ browser, peers, cases }) {
  const names = Object.keys(peers);
  const rows = Object.entries(cases);
  const count = (peer, verdict) => rows.filter(([, row]) => row[peer]?.verdict === verdict).length;
  const summary = verdicts.map(([verdict, meaning]) => [verdict, ...names.map((peer) => count(peer, verdict)), meaning]);
  const detail = rows.map(([name, row]) => [name, row.expected, ...names.map((peer) => row[peer]?.verdict ?? '')]);
  return [
    `${rows.length} pages, ${browser}; ${names.map((peer) => `${peer} ${peers[peer]}`).join(', ')}`,
    '',
    ...grid(['verdict', ...names, 'meaning'], summary),
    '',
    ...grid(['page', 'right answer', ...names], detail),
  ].join('\n');
}

function grid(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
