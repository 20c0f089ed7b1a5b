// Evaluated in the page as one expression: returns the facts about one button.
(() => {
  const element = document.querySelector('button.item[data-number="1250"]');
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  return {
    tag: element.localName,
    name: element.getAttribute('aria-label'),
    text: element.innerText,
    attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    box: { x: box.x, y: box.y, width: box.width, height: box.height },
    rendered: box.width > 0 && box.height > 0 && style.visibility === 'visible',
    in_viewport: box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
    receives_events: element.contains(
      document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2),
    ),
    enabled: !element.disabled,
  };
})()
