'use strict';
const root = document.documentElement;
const items = () => [...document.querySelectorAll('.item > summary')].filter((each) => each.getClientRects().length > 0);
const only = document.getElementById('only');
const open = document.getElementById('open');

only.onclick = () => {
  const wanted = only.getAttribute('aria-pressed') !== 'true';
  only.setAttribute('aria-pressed', String(wanted));
  if (wanted) root.dataset.only = 'failed';
  else delete root.dataset.only;
};

open.onclick = () => {
  const wanted = open.getAttribute('aria-pressed') !== 'true';
  open.setAttribute('aria-pressed', String(wanted));
  for (const item of document.querySelectorAll('.item')) item.open = wanted;
};

document.getElementById('theme').onclick = () => {
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
};

const large = document.getElementById('large');
document.addEventListener('click', (event) => {
  const shot = event.target.closest('.shot');
  if (large.open && (shot || event.target === large || event.target.closest('dialog > button'))) large.close();
  else if (shot) {
    large.querySelector('div').replaceChildren(shot.cloneNode(true));
    large.showModal();
  }
});

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || large.open) return;
  if (event.key === 'f') only.click();
  if (event.key !== 'j' && event.key !== 'k') return;
  const all = items();
  const here = all.indexOf(document.activeElement?.closest('.item')?.querySelector('summary'));
  const next = event.key === 'j' ? Math.min(here + 1, all.length - 1) : Math.max(here - 1, 0);
  all[next]?.focus();
  all[next]?.scrollIntoView({ block: 'nearest' });
});
