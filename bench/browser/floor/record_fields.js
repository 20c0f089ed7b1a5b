// Evaluated in the page as one expression: reads three fields of every record of the table.
[...document.querySelectorAll('tr.record')].map((row) => ({
  id: row.getAttribute('data-id'),
  name: row.querySelector('.name').innerText.trim(),
  price: row.querySelector('.price').innerText.trim(),
}))
