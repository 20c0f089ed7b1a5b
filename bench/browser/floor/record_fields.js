[...document.querySelectorAll('tr.record')].map((row) => ({
  id: row.getAttribute('data-id'),
  name: row.querySelector('.name').innerText.trim(),
  price: row.querySelector('.price').innerText.trim(),
}))
