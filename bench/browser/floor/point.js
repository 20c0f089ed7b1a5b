// Evaluated in the page as one expression: returns the centre of the element `#add`.
(() => {
  const box = document.getElementById('add').getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
})()
