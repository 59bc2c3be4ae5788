// Adds to the pages of REST calls, scopes, web hooks, apps and roles. They work without it.

// "More rows" adds an empty row in the page, instead of asking the server for one.
for (const field of document.querySelectorAll('fieldset[data-rows]')) {
  const more = field.querySelector('button[name="more"]');
  more?.addEventListener('click', (event) => {
    const rows = field.querySelectorAll('.t-row-pair');
    const last = rows[rows.length - 1];
    if (!last) return;
    event.preventDefault();
    const row = last.cloneNode(true);
    for (const input of row.querySelectorAll('input, select')) {
      input.name = input.name.replace(/\[\d+\]/, `[${rows.length}]`);
      input.setAttribute('aria-label', input.getAttribute('aria-label').replace(/\d+/, String(rows.length + 1)));
      if (input.localName === 'input') input.value = '';
    }
    last.after(row);
    row.querySelector('input, select').focus();
  });
}

// The try-out sends its form without leaving the page, and shows the answer below.
const trial = document.querySelector('form[data-try]');
trial?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = trial.querySelector('button[type="submit"]');
  const answer = document.getElementById('answer');
  button.disabled = true;
  try {
    const response = await fetch(trial.action, {
      method: 'POST',
      body: new URLSearchParams(new FormData(trial)),
      headers: { accept: 'text/html' },
    });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const found = page.getElementById('answer');
    if (!found) throw new Error('no answer');
    answer.replaceChildren(...found.childNodes);
    answer.focus();
  } catch {
    trial.submit();
  } finally {
    button.disabled = false;
  }
});

// Shows the text of the file as the form means it now, a moment after the last key.
const form = document.querySelector('form[data-definition]');
const draft = document.getElementById('draft-json');
let waiting;
let asked = 0;
async function showDraft() {
  const body = new URLSearchParams(new FormData(form));
  body.set('do', 'draft');
  asked += 1;
  const turn = asked;
  const response = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const found = page.getElementById('draft-json');
  if (found && turn === asked) draft.textContent = found.textContent;
}
form?.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => showDraft().catch(() => {}), 400);
});
