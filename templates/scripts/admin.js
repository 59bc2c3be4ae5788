// What every page of the admin section needs. Pages work without it.

/** Milliseconds without a key before the words are looked up. */
const PAUSE = 120;
/** Next to the folder of this script: the site may be under a path. */
const PLACES = new URL('../admin/go.json', import.meta.url);

/** The command palette: a dialog with a field and the places that match. The link to its page opens it, and Ctrl-K. */
function createPalette(link) {
  const make = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const { label, hint, none, some } = link.dataset;
  const list = make('ul', { id: 't-go-list', role: 'listbox', 'aria-label': label });
  const status = make('p', { class: 't-hint', role: 'status' });
  const field = make('input', {
    class: 't-input',
    type: 'text',
    role: 'combobox',
    'aria-label': hint,
    'aria-controls': 't-go-list',
    'aria-expanded': 'true',
    'aria-autocomplete': 'list',
    placeholder: hint,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const dialog = make('dialog', { class: 't-palette t-dialog t-page', 'aria-label': label }, field, list, status);
  document.body.append(dialog);
  const state = { chosen: 0, timer: 0, asked: 0 };

  const choose = (index) => {
    const options = [...list.children];
    state.chosen = options.length === 0 ? 0 : (index + options.length) % options.length;
    for (const [at, option] of options.entries()) option.setAttribute('aria-selected', String(at === state.chosen));
    const option = options[state.chosen];
    field.setAttribute('aria-activedescendant', option?.id ?? '');
    option?.scrollIntoView({ block: 'nearest' });
  };
  const show = (places) => {
    const options = places.map(({ label: text, kind, path }, index) => {
      const option = make('li', { role: 'option', id: `t-go-${index}`, 'data-path': path });
      option.append(make('span', {}, text), make('span', { class: 't-hint' }, kind));
      return option;
    });
    list.replaceChildren(...options);
    status.textContent = places.length === 0 ? none : some.replace('#', String(places.length));
    choose(0);
  };
  const find = async () => {
    state.asked += 1;
    const mine = state.asked;
    const answer = await fetch(`${PLACES}?q=${encodeURIComponent(field.value)}`).catch(() => undefined);
    const places = answer?.ok ? await answer.json() : [];
    if (mine === state.asked) show(places);
  };
  const open = () => {
    if (dialog.open) return;
    field.value = '';
    dialog.showModal();
    void find();
  };
  const go = (option) => {
    if (option) location.assign(option.dataset.path);
  };
  field.addEventListener('input', () => {
    clearTimeout(state.timer);
    state.timer = setTimeout(find, PAUSE);
  });
  field.addEventListener('keydown', (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) choose(state.chosen + steps[event.key]);
    else if (event.key === 'Enter') go(list.children[state.chosen]);
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', (event) => go(event.target.closest('[role=option]')));
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
}

/** Menus close by Escape, and when somebody goes on elsewhere. Their own summary closes them without this. */
function closeMenus() {
  const OPEN = 'details.t-menu[open]';
  document.addEventListener('keydown', (event) => {
    const menu = event.key === 'Escape' && event.target.closest(OPEN);
    if (!menu) return;
    menu.open = false;
    menu.querySelector('summary').focus();
  });
  for (const name of ['pointerdown', 'focusin'])
    document.addEventListener(name, ({ target }) => {
      for (const menu of document.querySelectorAll(OPEN)) if (!menu.contains(target)) menu.open = false;
    });
}

closeMenus();
const link = document.getElementById('t-go');
if (link) createPalette(link);
