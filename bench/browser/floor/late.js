// Evaluated in the page as one expression: resolves when the element `#late` appears.
new Promise((resolve) => {
  const look = () => document.getElementById('late') && resolve(true);
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
  look();
})
