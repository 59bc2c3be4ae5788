// What the pages of definitions add to plain forms: fields are dragged into order, what saving does is shown while one
// types, and a file fills a text. The pages work without it.
const form = document.querySelector('form[data-definition]');
document.documentElement.classList.add('t-scripted');

function order(list) {
  let moved;
  for (const item of list.querySelectorAll('[data-key]')) {
    const grip = item.querySelector('[data-grip]');
    grip?.addEventListener('pointerdown', () => {
      item.draggable = true;
    });
    item.addEventListener('dragstart', (event) => {
      moved = item;
      event.dataTransfer.effectAllowed = 'move';
    });
    item.addEventListener('dragover', (event) => {
      if (!moved || moved === item) return;
      event.preventDefault();
      item.classList.add('t-parts-over');
    });
    item.addEventListener('dragleave', () => item.classList.remove('t-parts-over'));
    item.addEventListener('drop', (event) => {
      event.preventDefault();
      item.classList.remove('t-parts-over');
      const isDown = moved.compareDocumentPosition(item) & Node.DOCUMENT_POSITION_FOLLOWING;
      if (isDown) item.after(moved);
      else item.before(moved);
      preview();
    });
    item.addEventListener('dragend', () => {
      item.draggable = false;
      moved = undefined;
    });
  }
}

// The order of the rows is the order of what is posted.
let waiting;
function preview() {
  const place = form.querySelector('[data-outcome]');
  if (!place || !place.querySelector('#outcome')) return;
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    const body = new URLSearchParams(new FormData(form));
    body.set('do', 'preview');
    const answer = await fetch(form.action, { method: 'POST', body }).catch(() => undefined);
    if (!answer) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.querySelector('[data-outcome]');
    if (fresh && !place.contains(document.activeElement)) place.replaceChildren(...fresh.childNodes);
  }, 600);
}

if (form) {
  for (const list of form.querySelectorAll('[data-sortable]')) order(list);
  form.addEventListener('input', preview);
  const part = form.querySelector('[data-file-for]');
  if (part) {
    part.hidden = false;
    part.querySelector('input').addEventListener('change', async (event) => {
      const [file] = event.target.files;
      if (file) document.getElementById(part.dataset.fileFor).value = await file.text();
    });
  }
  // What was asked for is where one looks next.
  const asked = form.querySelector('#outcome > *') ?? form.querySelector('#open');
  if (asked) {
    asked.scrollIntoView({ block: 'nearest' });
    form.querySelector('#outcome')?.focus({ preventScroll: true });
  }
}
