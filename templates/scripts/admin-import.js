// Sends a large file in pieces, and shows the progress of an import. Both pages work without it.

const showProgress = (form, value, text) => {
  const line = form.querySelector('.t-progress');
  line.hidden = false;
  line.querySelector('progress').value = value;
  line.querySelector('output').textContent = text;
};

const setBusy = (form, isBusy) => {
  for (const button of form.querySelectorAll('button')) button.disabled = isBusy;
};

const upload = document.querySelector('#t-upload');

/** Sends a file piece by piece; the answer to the last piece leads to the page of the file. */
async function sendPieces(form, file) {
  const size = Number(form.dataset.piece);
  let id = '';
  for (let at = 0; at < file.size; at += size) {
    const isLast = at + size >= file.size;
    const body = new FormData();
    body.set('csrf', form.elements.csrf.value);
    body.set('name', file.name);
    body.set('import', id);
    body.set('more', isLast ? '0' : '1');
    body.set('file', file.slice(at, at + size), file.name);
    const answer = await fetch(form.getAttribute('action'), { method: 'POST', body });
    if (!answer.ok && answer.status !== 422) throw new Error(String(answer.status));
    showProgress(form, (100 * Math.min(at + size, file.size)) / file.size, '');
    if (!isLast) id = String((await answer.json()).import);
    else if (answer.redirected) location.assign(answer.url);
    else document.documentElement.innerHTML = await answer.text();
  }
}

upload?.addEventListener('submit', (event) => {
  const [file] = upload.elements.file.files;
  if (!file || file.size <= Number(upload.dataset.piece)) return;
  event.preventDefault();
  setBusy(upload, true);
  sendPieces(upload, file).catch(() => {
    setBusy(upload, false);
    // The form itself says what is wrong.
    upload.submit();
  });
});

const form = document.querySelector('#t-import');

/** Reads the lines of an answer while they arrive. */
async function readLines(answer, take) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (held + value).split('\n');
    held = lines.pop();
    for (const line of lines) take(JSON.parse(line));
  }
}

async function runImport(body) {
  const answer = await fetch(form.getAttribute('action'), { method: 'POST', body, headers: { accept: 'application/x-ndjson' } });
  if (!answer.ok) throw new Error(String(answer.status));
  let isTold = false;
  await readLines(answer, ({ rows, bytes, html, isDone }) => {
    if (html === undefined) return showProgress(form, bytes, rows.toLocaleString());
    isTold = true;
    document.querySelector('#t-report').innerHTML = html;
    if (isDone) form.hidden = true;
    document.querySelector('#t-report a, #t-report [role="region"]')?.focus();
  });
  if (!isTold) throw new Error('cut short');
}

form?.addEventListener('submit', (event) => {
  const { submitter } = event;
  if (submitter?.value !== 'check' && submitter?.value !== 'import') return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, submitter));
  setBusy(form, true);
  showProgress(form, 0, '');
  runImport(body)
    .catch(() => location.reload())
    .finally(() => {
      setBusy(form, false);
      form.querySelector('.t-progress').hidden = true;
      // A button that is disabled loses the focus.
      if (document.activeElement === document.body) submitter.focus();
    });
});
