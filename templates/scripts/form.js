// Forms of rows: lists that grow in the page, pickers that search while one types, previews of files and of Markdown,
// and a draft that survives a closed tab's reload. Without this script the form's own buttons do the same.
const form = document.querySelector('form[data-form]');

// The summary of faults is read first.
document.querySelector('[data-faults]')?.focus();
for (const link of document.querySelectorAll('[data-faults] a[href^="#"]')) {
  link.addEventListener('click', (event) => {
    const target = document.getElementById(link.hash.slice(1));
    if (!target) return;
    event.preventDefault();
    target.scrollIntoView({ block: 'center' });
    (target.matches('fieldset') ? (target.querySelector('input:not([type=hidden]), select, textarea') ?? target) : target).focus();
  });
}

/** Texts of buttons that only this script makes; the page translates them. */
const words = JSON.parse(document.getElementById('t-form-words')?.textContent ?? '{}');

if (form) {
  // The server names all faults at once; a browser would stop at the first. What it could not read, it would not send.
  form.noValidate = true;
  form.addEventListener('submit', (event) => {
    const unread = [...form.elements].find((input) => input.validity?.badInput);
    if (!unread || event.submitter?.formNoValidate) return;
    event.preventDefault();
    unread.reportValidity();
  });
  startProgress(form);
  startLists(form);
  startDraft(form);
  for (const input of form.querySelectorAll('[data-do=color-field]')) addColor(input);
  for (const input of form.querySelectorAll('[data-do=range-field]')) addSlider(input);
  for (const input of form.querySelectorAll('[data-do=file-field]')) addDrop(input);
  for (const input of form.querySelectorAll('[data-do=tag-field]')) addTags(input);
  for (const picker of form.querySelectorAll('[data-picker]')) startPicker(picker);
  form.addEventListener('click', (event) => {
    const button = event.target.closest('button[name=_do][value^="preview "]');
    if (button) preview(event, button);
  });
}

/** Shows how much of the files has been sent. Without files the browser sends the form. */
function startProgress(root) {
  root.addEventListener('submit', (event) => {
    const hasFiles = [...root.querySelectorAll('input[type=file]')].some((input) => input.files.length > 0);
    if (!hasFiles || event.defaultPrevented || !event.submitter || event.submitter.formNoValidate) return;
    event.preventDefault();
    const bar = Object.assign(document.createElement('progress'), { max: 1, value: 0 });
    bar.setAttribute('aria-label', words.sending);
    root.querySelector('.t-form-end').append(bar);
    event.submitter.disabled = true;
    const sent = new XMLHttpRequest();
    sent.upload.addEventListener('progress', ({ loaded, total }) => {
      bar.value = loaded / total;
    });
    const stop = () => {
      bar.remove();
      event.submitter.disabled = false;
    };
    sent.addEventListener('error', () => {
      stop();
      tell(root, words.offline);
    });
    sent.addEventListener('load', () => {
      if (sent.status < 300 && sent.getResponseHeader('content-type')?.startsWith('application/json')) {
        location.assign(JSON.parse(sent.responseText).location);
        return;
      }
      stop();
      // Nothing was stored: the browser sends the form once more, and shows the page that says why.
      if (sent.status >= 400 && sent.status < 500) HTMLFormElement.prototype.submit.call(root);
      else tell(root, words.failed);
    });
    sent.open('POST', root.action);
    sent.setRequestHeader('accept', 'application/json');
    sent.send(new FormData(root, event.submitter));
  });
}

function tell(root, text) {
  const note = Object.assign(document.createElement('span'), { className: 't-error', textContent: text });
  note.setAttribute('role', 'alert');
  root.querySelector('.t-form-end').append(note);
}

/** Lists: add, remove and move items without a round trip. */
function startLists(root) {
  root.addEventListener('click', (event) => {
    const button = event.target.closest('button[name=_do]');
    const [verb, name] = button?.value.split(' ') ?? [];
    const item = name && root.querySelector(`[data-item="${CSS.escape(name)}"]`);
    if (verb === 'add') {
      const list = root.querySelector(`[data-list="${CSS.escape(name)}"]`);
      if (!list || !addItem(list, name)) return;
    } else if (verb === 'remove' && item) {
      const next = item.nextElementSibling ?? item.previousElementSibling;
      if (!next) clear(item);
      else {
        item.remove();
        (next.querySelector('input:not([type=hidden]), textarea, select') ?? next).focus();
      }
    } else if (verb === 'up' && item?.previousElementSibling) {
      swap(item, item.previousElementSibling);
      button.focus();
    } else return;
    event.preventDefault();
    form.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

const fields = (item) => [...item.querySelectorAll('input, textarea, select')];

/** Moves what is typed one item up: the names, and with them the order, stay where they are. */
function swap(item, above) {
  const [mine, others] = [fields(item), fields(above)];
  if (item.querySelector('[data-item], [data-rich-on], .t-form-picture') || mine.length !== others.length) {
    // Items that differ change places as a whole; their names are exchanged.
    const [a, b] = [item.dataset.item, above.dataset.item];
    renameAll(item, a, ' ');
    renameAll(above, b, a);
    renameAll(item, ' ', b);
    above.before(item);
    return;
  }
  for (const [index, input] of mine.entries()) {
    const other = others[index];
    if (input.type === 'checkbox' || input.type === 'radio') [input.checked, other.checked] = [other.checked, input.checked];
    else [input.value, other.value] = [other.value, input.value];
  }
}

const toId = (name) => `t-${name.replaceAll(']', '').replaceAll('[', '-')}`;

/** Gives everything inside an item the names of another item. */
function renameAll(item, from, to) {
  for (const node of [item, ...item.querySelectorAll('*')]) {
    for (const { name, value } of [...node.attributes]) {
      if (['name', 'value', 'data-item', 'data-list', 'data-add', 'data-field'].includes(name)) {
        if (name === 'value' && !(node.name === '_do' || node.name === '_drop[]')) continue;
        node.setAttribute(name, value.split(from).join(to));
      } else if (['id', 'for', 'aria-describedby', 'aria-labelledby'].includes(name)) {
        node.setAttribute(name, value.split(toId(from)).join(toId(to)));
      }
    }
  }
}

function clear(item) {
  for (const input of fields(item)) {
    if (input.name === '_drop[]' || input.type === 'hidden') continue;
    if (input.type === 'checkbox' || input.type === 'radio') input.checked = input.type === 'radio' && input.value === '';
    else input.value = '';
    input.removeAttribute('aria-invalid');
    input.dispatchEvent(new Event('t-cleared'));
  }
  for (const error of item.querySelectorAll('.t-error')) error.textContent = '';
}

/** Adds a cleared copy of the last item. */
function addItem(list, name) {
  const last = list.querySelector(':scope > [data-item]:last-child');
  if (!last) return false;
  const keys = [...list.querySelectorAll(':scope > [data-item]')].map((item) => Number(/\[(\d+)\]$/.exec(item.dataset.item)?.[1]));
  const made = last.cloneNode(true);
  // An editor belongs to the text that it was made for.
  for (const editor of made.querySelectorAll('[data-rich-on]')) editor.remove();
  for (const area of made.querySelectorAll('textarea[data-rich]')) area.hidden = false;
  for (const inner of made.querySelectorAll('[data-list]')) while (inner.children.length > 1) inner.lastElementChild.remove();
  const key = Math.max(...keys) + 1;
  renameAll(made, last.dataset.item, `${name}[${key}]`);
  for (const node of [made, ...made.querySelectorAll('[aria-label]')]) {
    const label = node.getAttribute('aria-label');
    if (label) node.setAttribute('aria-label', label.replace(/\d+/, String(keys.length + 1)));
  }
  clear(made);
  list.append(made);
  for (const area of made.querySelectorAll('textarea[data-rich]')) area.dispatchEvent(new Event('t-added', { bubbles: true }));
  made.querySelector('input:not([type=hidden]), textarea, select')?.focus();
  return true;
}

/** A picker asks the server while one types, and again when the window comes back from a new row's form. */
function startPicker(picker) {
  const search = picker.querySelector('input[type=search]');
  const choices = picker.querySelector('[data-choices]');
  const status = picker.querySelector('[data-choices-status]');
  const button = picker.querySelector('button[name=_do]');
  const name = picker.dataset.field;
  const fold = picker.querySelector('details');
  const summary = fold.querySelector('summary');
  const show = () => {
    const chosen = choices.querySelector('input:checked')?.closest('label');
    if (chosen) summary.querySelector('[data-chosen]').textContent = chosen.textContent;
  };
  choices.addEventListener('change', show);
  choices.addEventListener('t-restored', show, true);
  const close = () => {
    fold.open = false;
    summary.focus();
  };
  // Keys choose every row that they move over, by a click that counts no press.
  choices.addEventListener('click', ({ target, detail }) => {
    if (detail > 0 && target.closest('label')) close();
  });
  fold.addEventListener('keydown', (event) => event.key === 'Escape' && fold.open && close());
  summary.addEventListener('click', () => requestAnimationFrame(() => fold.open && search.focus()));
  let asked = 0;
  let timer;
  const find = async () => {
    asked += 1;
    const own = asked;
    const answer = await fetch(`${picker.dataset.picker}?q=${encodeURIComponent(search.value)}`, { headers: { accept: 'application/json' } });
    if (!answer.ok || own !== asked) return;
    const rows = await answer.json();
    const kept = [...choices.children].filter((label) => label.querySelector('input')?.checked || label.querySelector('input')?.value === '');
    const known = new Set(kept.map((label) => label.querySelector('input').value));
    const made = rows.filter(({ id }) => !known.has(String(id))).map(({ id, label }) => toChoice(name, id, label));
    // A row that is moved in the document loses the focus.
    for (const label of [...choices.children]) if (!kept.includes(label)) label.remove();
    choices.append(...made);
    status.textContent = rows.length === 0 ? words.nothing : '';
  };
  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(find, 250);
  });
  search.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    find();
  });
  button.addEventListener('click', (event) => {
    event.preventDefault();
    find();
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) find();
  });
}

function toChoice(name, id, text) {
  const label = document.createElement('label');
  label.className = 't-check';
  const input = Object.assign(document.createElement('input'), { type: 'radio', name, value: String(id) });
  const span = document.createElement('span');
  span.textContent = text;
  label.append(input, span);
  return label;
}

function addColor(input) {
  const swatch = Object.assign(document.createElement('input'), { type: 'color', className: 't-form-swatch' });
  swatch.setAttribute('aria-label', document.querySelector(`label[for="${CSS.escape(input.id)}"]`)?.textContent ?? '');
  const read = () => {
    const text = input.value.trim().replace(/^#?/, '#');
    if (/^#[0-9a-f]{6}$/i.test(text)) swatch.value = text;
  };
  swatch.addEventListener('input', () => {
    input.value = swatch.value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  input.addEventListener('input', read);
  read();
  input.after(swatch);
}

function addSlider(input) {
  const slider = Object.assign(document.createElement('input'), { type: 'range' });
  for (const name of ['min', 'max', 'step']) if (input.hasAttribute(name)) slider.setAttribute(name, input.getAttribute(name));
  slider.setAttribute('aria-label', document.querySelector(`label[for="${CSS.escape(input.id)}"]`)?.textContent ?? '');
  if (input.value !== '') slider.value = input.value;
  slider.addEventListener('input', () => {
    input.value = slider.value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  input.addEventListener('input', () => {
    if (input.value !== '') slider.value = input.value;
  });
  input.after(slider);
}

/** Previews of chosen files, and dropping files on the field. */
function addDrop(input) {
  const field = input.closest('.t-field');
  const shown = document.createElement('div');
  shown.className = 't-row';
  shown.setAttribute('aria-live', 'polite');
  input.after(shown);
  const show = () => {
    shown.replaceChildren(...[...input.files].map(toPreview));
  };
  input.addEventListener('change', show);
  field.addEventListener('dragover', (event) => {
    if (![...(event.dataTransfer?.types ?? [])].includes('Files')) return;
    event.preventDefault();
    field.classList.add('t-form-drop');
  });
  for (const type of ['dragleave', 'drop']) field.addEventListener(type, () => field.classList.remove('t-form-drop'));
  field.addEventListener('drop', (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    const files = new DataTransfer();
    for (const file of event.dataTransfer.files) if (input.multiple || files.items.length === 0) files.items.add(file);
    input.files = files.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

function toPreview(file) {
  const span = document.createElement('span');
  span.className = 't-badge';
  span.textContent = `${file.name}, ${file.size < 1024 ? `${file.size} B` : `${Math.round(file.size / 1024).toLocaleString()} KB`}`;
  if (!file.type.startsWith('image/')) return span;
  const row = document.createElement('span');
  row.className = 't-row';
  // The page's policy allows data: pictures, and no blob: ones.
  const image = Object.assign(new Image(), { className: 't-form-picture', alt: '' });
  const reader = new FileReader();
  reader.addEventListener('load', () => {
    image.src = reader.result;
  });
  reader.readAsDataURL(file);
  row.append(image, span);
  return row;
}

/** Shows tags as badges with a button each; the text with commas stays what is sent. */
function addTags(input) {
  const list = document.createElement('div');
  list.className = 't-row';
  input.after(list);
  const read = () => (/^\s*\[/.test(input.value) ? [] : input.value.split(',').map((tag) => tag.trim()).filter(Boolean));
  const show = () => list.replaceChildren(...[...new Set(read())].map(toTag));
  const toTag = (tag) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 't-badge t-form-tag';
    button.textContent = `${tag} ×`;
    button.setAttribute('aria-label', `${words.remove} ${tag}`);
    button.addEventListener('click', () => {
      input.value = read().filter((other) => other !== tag).join(', ');
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.focus();
    });
    return button;
  };
  input.addEventListener('input', show);
  show();
}

/** Fetches the form with the rendered Markdown, and shows that part only. */
async function preview(event, button) {
  event.preventDefault();
  const name = button.value.split(' ')[1];
  const body = new URLSearchParams();
  for (const key of ['csrf', '_version']) body.set(key, form.elements[key]?.value ?? '');
  body.set('_do', button.value);
  body.set(name, form.elements[name].value);
  const answer = await fetch(form.action, { method: 'POST', body });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const target = document.getElementById(`${toId(name)}-preview`);
  const source = page.getElementById(target.id);
  if (!source) return;
  target.replaceChildren(...source.childNodes);
  target.hidden = false;
}

/**
 * Keeps what is typed in this tab until it is saved. A saved row's page clears it: a form that was sent but not saved,
 * because the session had ended, is still there.
 */
function startDraft(root) {
  const key = `treadle-draft ${root.dataset.person} ${location.pathname}${location.search}`;
  const box = root.querySelector('[data-draft]');
  const isKept = ({ name, type }) => name !== '' && !name.startsWith('_') && name !== 'csrf' && type !== 'file' && type !== 'password';
  const read = () =>
    [...root.elements].filter((input) => isKept(input) && input.type !== 'submit').flatMap(({ name, type, value, checked }) =>
      (type === 'checkbox' || type === 'radio') && !checked ? [] : [[name, value]],
    );
  const store = (value) => {
    try {
      if (value === undefined) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(value));
    } catch {
      // A full or closed storage keeps nothing; the form works without.
    }
  };
  const start = JSON.stringify(read());
  let timer;
  const note = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const now = read();
      if (JSON.stringify(now) === start && root.dataset.typed === undefined) store(undefined);
      else store({ fields: now, isSent: false });
    }, 300);
  };
  const kept = readKept(key);
  if (root.dataset.typed !== undefined) store({ fields: read(), isSent: false });
  else if (kept && JSON.stringify(kept.fields) !== start) box.hidden = false;
  root.addEventListener('input', note);
  root.addEventListener('change', note);
  root.addEventListener('submit', () => {
    clearTimeout(timer);
    store({ fields: read(), isSent: true });
  });
  box.querySelector('[data-draft-restore]').addEventListener('click', () => {
    restore(root, kept.fields);
    box.hidden = true;
    note();
  });
  box.querySelector('[data-draft-discard]').addEventListener('click', () => {
    store(undefined);
    box.hidden = true;
  });
}

function readKept(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Types a draft again. Lists grow until every name of the draft has its input. */
function restore(root, kept) {
  const values = new Map();
  for (const [name, value] of kept) values.set(name, [...(values.get(name) ?? []), value]);
  for (const name of values.keys()) {
    for (let tries = 0; !root.elements[name] && tries < 200; tries += 1) {
      const parts = [...name.matchAll(/\[\d+\]/g)];
      const list = parts.map(({ index }) => root.querySelector(`[data-list="${CSS.escape(name.slice(0, index))}"]`)).findLast(Boolean);
      if (!list || !addItem(list, list.dataset.list)) break;
    }
  }
  for (const input of root.elements) {
    if (input.name === '' || input.name.startsWith('_') || input.name === 'csrf' || ['file', 'password', 'submit'].includes(input.type)) continue;
    const own = values.get(input.name);
    if (input.type === 'checkbox' || input.type === 'radio') input.checked = own?.includes(input.value) ?? false;
    else if (input.type === 'hidden') continue;
    else if (own) input.value = own.at(-1);
    input.dispatchEvent(new Event('t-restored'));
  }
}

// A page that says that it saved ends the drafts that were sent.
if (document.querySelector('.t-flash-success')) {
  for (const key of Object.keys(sessionStorage).filter((name) => name.startsWith('treadle-draft ')))
    if (readKept(key)?.isSent) sessionStorage.removeItem(key);
}
