// Additions to the list of rows: keys, editing in place, a tick for all, and a bar that is there only for
// ticked rows. The page works without it.
const table = document.querySelector('#t-bulk table');
const rows = table ? [...table.tBodies[0].rows] : [];
const listForm = document.querySelector('#t-list-form');
const bar = document.querySelector('.t-bulk');

// A column that is chosen by the pointer leads to its condition at once. Keys change the choice at every press, so there
// the button sends it.
const added = listForm?.querySelector('#t-add');
let isPointing = false;
added?.addEventListener('pointerdown', () => {
  isPointing = true;
});
added?.addEventListener('keydown', () => {
  isPointing = false;
});
added?.addEventListener('change', () => isPointing && listForm.requestSubmit());

const isTyping = (target) => target.closest('input:not([type=checkbox]), select, textarea, [contenteditable]') !== null;

let current = -1;
let column = 0;

/** The columns that can be edited, by their place in the row. */
const editable = table ? [...table.tHead.rows[0].cells].map((head) => head.dataset.edits) : [];

function mark() {
  for (const [index, row] of rows.entries()) {
    row.classList.toggle('t-current', index === current);
    for (const [place, cell] of [...row.cells].entries()) {
      cell.classList.toggle('t-current-cell', index === current && place === column);
    }
  }
}

function move(step) {
  current = Math.max(0, Math.min(rows.length - 1, current + step));
  mark();
  const row = rows[current];
  (row.querySelector('input[type=checkbox]') ?? row.querySelector('a'))?.focus();
  row.scrollIntoView({ block: 'nearest' });
}

/** Moves to the next column that can be edited. */
function moveCell(step) {
  const places = editable.flatMap((name, place) => (name ? [place] : []));
  if (places.length === 0 || current < 0) return;
  const at = places.indexOf(column);
  column = places[Math.max(0, Math.min(places.length - 1, at + step))] ?? places[0];
  mark();
}

const KEYS = {
  j: () => move(1),
  ArrowDown: () => move(1),
  k: () => move(-1),
  ArrowUp: () => move(-1),
  ArrowRight: () => moveCell(1),
  ArrowLeft: () => moveCell(-1),
  x: () => rows[current]?.querySelector('input[type=checkbox]')?.click(),
  e() {
    if (!editable[column]) moveCell(0);
    const cell = rows[current]?.cells[column];
    if (cell && editable[column]) edit(cell);
  },
  Enter: () => rows[current]?.querySelector('a[href^="detail/"], a[href^="update/"]')?.click(),
  b: () => bar?.querySelector('button')?.focus(),
  '/': () => document.querySelector('#t-q')?.focus(),
};

if (table || listForm) {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    // A focused link or button does what it always does.
    if (event.key === 'Enter' && event.target.closest('a, button, summary')) return;
    const run = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
    if (!run || (rows.length === 0 && event.key !== '/')) return;
    event.preventDefault();
    run();
  });
}

table?.addEventListener('focusin', ({ target }) => {
  const at = rows.indexOf(target.closest('tr'));
  if (at < 0 || at === current) return;
  current = at;
  mark();
});

/** Puts the form of a cell into it; Escape and Cancel put back what was there. */
async function edit(cell) {
  const row = cell.closest('tr');
  const name = editable[cell.cellIndex];
  if (!name || cell.querySelector('form')) return;
  const isLinked = cell.querySelector('a[href^="detail/"]') !== null;
  const address = `cell/${row.dataset.id}/${name}?part=1${isLinked ? '&linked=1' : ''}`;
  const answer = await fetch(address);
  if (answer.redirected || !answer.ok) return location.assign(`update/${row.dataset.id}`);
  const before = [...cell.childNodes];
  const close = (nodes) => {
    cell.replaceChildren(...nodes);
    row.querySelector('input[type=checkbox], a')?.focus();
  };
  // The form lies outside the form around the table: one form cannot hold another.
  const show = (html) => {
    const part = new DOMParser().parseFromString(html, 'text/html');
    const form = part.querySelector('form');
    cell.replaceChildren(asFields(form));
    const fields = cell.querySelector('.t-cell-form');
    fields.querySelector('input:not([type=hidden]), select, textarea')?.focus();
    const send = async () => {
      const body = new URLSearchParams();
      for (const input of fields.querySelectorAll('input, select, textarea')) {
        const isOff = (input.type === 'checkbox' || input.type === 'radio') && !input.checked;
        if (input.name && !isOff) body.append(input.name, input.value);
      }
      const sent = await fetch(address, { method: 'POST', body });
      if (!sent.ok) return show(await sent.text());
      const { html: made } = await sent.json();
      const holder = document.createElement('template');
      holder.innerHTML = made;
      close([...holder.content.childNodes]);
    };
    fields.addEventListener('click', (event) => {
      const isCancel = event.target.closest('[data-cancel]') !== null;
      if (!isCancel && !event.target.closest('button[type=submit]')) return;
      event.preventDefault();
      if (isCancel) close(before);
      else send();
    });
    fields.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') close(before);
      else if (event.key === 'Enter' && event.target.tagName !== 'TEXTAREA' && !event.target.closest('a')) {
        event.preventDefault();
        send();
      } else return;
      event.stopPropagation();
    });
  };
  show(await answer.text());
}

/** The content of a form in an element that is none. */
function asFields(form) {
  const fields = document.createElement('div');
  fields.className = form.className;
  fields.append(...form.childNodes);
  return fields;
}

table?.addEventListener('dblclick', ({ target }) => {
  const cell = target.closest('td');
  if (cell) edit(cell);
});

// A tick for all rows of the page, and what can be done with the ticked rows.
const all = document.querySelector('#t-tick-all');
if (all) {
  const boxes = rows.map((row) => row.querySelector('input[type=checkbox]'));
  const [count, status, untick] = ['#t-ticked', '#t-ticked-status', '#t-untick'].map((id) => document.querySelector(id));
  const { all: matching } = document.querySelector('#t-bulk').elements;
  const total = Number(bar.dataset.total);
  for (const element of [all, count, untick]) element.hidden = false;
  // The tick above the rows says the same if the page has all of them.
  matching.closest('label').hidden = total <= boxes.length;
  const tell = () => {
    const ticked = boxes.filter((box) => box.checked).length;
    all.checked = ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
    const chosen = matching.checked ? total : ticked;
    const words = count.dataset.text.replace('#', chosen.toLocaleString(document.documentElement.lang));
    if (count.textContent === words) return;
    // A reader of the screen hears of the bar; nothing is said before the first tick.
    if (chosen > 0 || count.textContent !== '') status.textContent = words;
    count.textContent = words;
  };
  const tick = (isTicked) => {
    for (const box of boxes) box.checked = isTicked;
    tell();
  };
  all.addEventListener('change', () => tick(all.checked));
  for (const element of [table, bar]) element.addEventListener('change', tell);
  untick.addEventListener('click', () => {
    matching.checked = false;
    tick(false);
    all.focus();
  });
  tell();
}

const keys = document.querySelector('#t-keys');
if (keys) keys.hidden = false;
