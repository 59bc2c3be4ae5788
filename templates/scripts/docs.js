// Enhances the docs: copy buttons, languages as tabs, search. The pages also work without it.
(() => {
  const { root = '', index = '' } = document.currentScript.dataset;
  const words = JSON.parse(document.querySelector('script[data-words]').dataset.words);
  const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);

  const BUTTON = 't-button t-button-quiet t-button-small';
  const make = (tag, properties = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name === 'text') element.textContent = value;
      else if (name.includes('-') || name === 'role' || name === 'for') element.setAttribute(name, value);
      else element[name] = value;
    }
    element.append(...children);
    return element;
  };

  // A browser may refuse storage, for example to a page from a disk.
  const remember = (key, value) => {
    try {
      if (value !== undefined) localStorage.setItem(key, value);
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };

  // Copy buttons
  const status = make('p', { className: 't-hidden', role: 'status' });
  const copy = async (text, button) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make('textarea', { value: text, className: 't-hidden' });
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
      button.focus();
    }
    button.textContent = say('copied');
    status.textContent = say('copied');
    setTimeout(() => {
      button.textContent = say('copy');
      status.textContent = '';
    }, 1500);
  };
  const addCopy = (code, place, label) => {
    const button = make('button', { type: 'button', className: BUTTON, text: say('copy'), 'aria-label': say('copyOf', { label }) });
    button.addEventListener('click', () => copy(code.textContent, button));
    place.append(button);
  };
  const addCopies = (within) => {
    for (const pre of within.querySelectorAll('pre.t-code')) {
      const frame = make('div', { className: 'd-code t-copy-block' });
      pre.replaceWith(frame);
      frame.append(pre);
      const label = pre.getAttribute('aria-label') ?? say('code');
      // Nouns of other languages may have capitals.
      addCopy(pre, frame, document.documentElement.lang.startsWith('en') ? label.toLowerCase() : label);
    }
    for (const code of within.querySelectorAll('code[data-copy]')) addCopy(code, code.parentElement, code.textContent);
  };

  // Languages as tabs; a choice applies to every page.
  const groups = [];
  const pick = (set, language, isChosen) => {
    for (const group of groups) {
      if (group.set !== set) continue;
      const found = group.items.find((item) => item.language === language);
      if (!found) continue;
      for (const item of group.items) {
        const isPicked = item === found;
        item.tab.setAttribute('aria-selected', String(isPicked));
        item.tab.tabIndex = isPicked ? 0 : -1;
        item.panel.hidden = !isPicked;
      }
    }
    if (isChosen) remember(`treadle-docs-${set}`, language);
  };
  const makeTabs = (box, number) => {
    const { samples: set } = box.dataset;
  const words = JSON.parse(document.querySelector('script[data-words]').dataset.words);
  const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
    const list = make('div', { className: 't-tabs', role: 'tablist', 'aria-label': say('language') });
    const items = [...box.querySelectorAll('details')].map((details, at) => {
      const { language } = details.dataset;
  const words = JSON.parse(document.querySelector('script[data-words]').dataset.words);
  const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
      const id = `sample-${number}-${at}`;
      const label = details.querySelector('summary').textContent;
      const tab = make('button', { type: 'button', role: 'tab', id: `${id}-tab`, text: label, 'aria-controls': id });
      const panel = make('div', { id, role: 'tabpanel', 'aria-labelledby': `${id}-tab` });
      panel.append(...[...details.children].filter((child) => child.tagName !== 'SUMMARY'));
      list.append(tab);
      tab.addEventListener('click', () => {
        // Content that grows above must not move the tab out of view.
        const before = tab.getBoundingClientRect().top;
        pick(set, language, true);
        scrollBy(0, tab.getBoundingClientRect().top - before);
      });
      return { language, tab, panel };
    });
    list.addEventListener('keydown', (event) => {
      const at = items.findIndex(({ tab }) => tab === event.target);
      const steps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
      if (!(event.key in steps)) return;
      event.preventDefault();
      const { language, tab } = items.at(steps[event.key] % items.length);
      pick(set, language, true);
      tab.focus();
    });
    box.replaceChildren(list, ...items.map(({ panel }) => panel));
    groups.push({ set, items });
    pick(set, items[0].language, false);
    const last = remember(`treadle-docs-${set}`);
    if (last) pick(set, last, false);
  };

  // Search
  const load = () =>
    new Promise((done, fail) => {
      if (globalThis.treadleDocs) return done(globalThis.treadleDocs);
      const script = make('script', { src: index });
      script.addEventListener('load', () => done(globalThis.treadleDocs));
      script.addEventListener('error', fail);
      document.head.append(script);
    });
  // Words of a question that no page is about.
  const STOP = new Set(
    'a an and are as at be can do does for from how i in is it me my of on or the this to what when where which with you'.split(' '),
  );
  const toWords = (text) => {
    const all = text.toLowerCase().split(/\s+/).map((word) => word.replace(/^[¿("']+|[?!.,;:)"']+$/g, '')).filter(Boolean);
    const kept = all.filter((word) => !STOP.has(word));
    return kept.length > 0 ? kept : all;
  };

  // Whether two words are the same but for a few letters: Levenshtein distance, given up early.
  const isNear = (a, b, most) => {
    if (Math.abs(a.length - b.length) > most) return false;
    let row = Array.from({ length: b.length + 1 }, (_, at) => at);
    for (let i = 1; i <= a.length; i += 1) {
      const next = [i];
      for (let j = 1; j <= b.length; j += 1) {
        next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      }
      if (Math.min(...next) > most) return false;
      row = next;
    }
    return row[b.length] <= most;
  };

  // What the search compares, made once for each entry.
  const facts = new Map();
  const factsOf = (entry) => {
    const known = facts.get(entry);
    if (known) return known;
    const title = entry.title.toLowerCase();
    const rest = `${entry.place} ${entry.words}`.toLowerCase();
    const parts = `${title} ${rest}`.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    const made = { title, rest, parts, joined: `${title} ${rest}`.replace(/[^\p{L}\p{N}]+/gu, '') };
    facts.set(entry, made);
    return made;
  };
  const scoreWord = ({ title, rest, parts, joined }, word) => {
    if (title.startsWith(word)) return 12;
    if (title.includes(` ${word}`)) return 8;
    if (title.includes(word)) return 5;
    if (parts.some((part) => part.startsWith(word))) return 3;
    if (rest.includes(word)) return 2;
    // One word for two, such as "webhook" for "web hook".
    if (word.length > 4 && joined.includes(word)) return 2;
    const most = word.length > 7 ? 2 : 1;
    return word.length > 4 && parts.some((part) => isNear(word, part, most)) ? 1 : 0;
  };
  // Pages that have all words; if there are none, those that have the most.
  const find = (entries, text) => {
    const words = toWords(text);
    if (words.length === 0) return [];
    const scored = entries.map((entry, at) => {
      const known = factsOf(entry);
      const each = words.map((word) => scoreWord(known, word));
      const sum = each.reduce((total, score) => total + score, known.title === words.join(' ') ? 10 : 0);
      return { entry, at, sum, count: each.filter(Boolean).length };
    });
    const most = Math.max(...scored.map(({ count }) => count));
    return scored
      .filter(({ count }) => count > 0 && count === most)
      .sort((a, b) => b.sum - a.sum || a.at - b.at)
      .slice(0, 12)
      .map(({ entry }) => entry);
  };

  const makeSearch = () => {
    const input = make('input', {
      type: 'search',
      className: 't-input',
      id: 'docs-search',
      autocomplete: 'off',
      spellcheck: false,
      placeholder: say('searchDocs'),
      role: 'combobox',
      'aria-label': say('searchDocs'),
      'aria-expanded': 'false',
      'aria-controls': 'docs-found',
      'aria-autocomplete': 'list',
    });
    const list = make('ul', { id: 'docs-found', role: 'listbox', 'aria-label': say('found') });
    const hint = make('p', { className: 't-hint', role: 'status' });
    const close = make('button', { type: 'button', className: BUTTON, text: say('close') });
    const dialog = make(
      'dialog',
      { className: 'd-search t-dialog t-page', 'aria-label': say('search') },
      make('div', { className: 'd-search-row' }, input, close),
      list,
      hint,
    );
    let options = [];
    let at = -1;
    const move = (to) => {
      at = options.length === 0 ? -1 : (to + options.length) % options.length;
      for (const [number, option] of options.entries()) option.setAttribute('aria-selected', String(number === at));
      if (at < 0) return input.removeAttribute('aria-activedescendant');
      input.setAttribute('aria-activedescendant', options[at].id);
      options[at].scrollIntoView({ block: 'nearest' });
    };
    const show = async () => {
      const asked = input.value;
      let found;
      try {
        found = find(await load(), asked);
      } catch {
        hint.textContent = say('broken');
        return;
      }
      if (asked !== input.value) return;
      options = found.map((entry, number) => {
        const link = make(
          'a',
          { href: root + entry.href, tabIndex: -1 },
          make('span', { className: 't-hint', text: entry.place }),
          make('span', { text: entry.title }),
        );
        const option = make('li', { role: 'option', id: `docs-found-${number}`, 'aria-selected': 'false' }, link);
        option.addEventListener('pointermove', () => at === number || move(number));
        return option;
      });
      list.replaceChildren(...options);
      input.setAttribute('aria-expanded', String(options.length > 0));
      hint.textContent =
        asked.trim() === ''
          ? say('hint')
          : options.length === 0
            ? say('nothing')
            : say(options.length === 12 ? 'best' : 'some', { count: options.length });
      move(0);
    };
    const shut = () => {
      dialog.close();
      // A browser takes the focus from a hidden field with its next frame only: a key before that would be typed into it.
      input.blur();
    };
    input.addEventListener('input', show);
    input.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown') move(at + 1);
      else if (event.key === 'ArrowUp') move(at - 1);
      else if (event.key === 'Enter' && options[at]) options[at].firstChild.click();
      // A search field would use the first Escape to clear itself.
      else if (event.key === 'Escape') shut();
      else return;
      event.preventDefault();
    });
    close.addEventListener('click', shut);
    list.addEventListener('click', shut);
    dialog.addEventListener('click', (event) => event.target === dialog && shut());
    document.body.append(dialog);
    return () => {
      if (!dialog.open) dialog.showModal();
      input.select();
      show();
    };
  };

  const isTyping = ({ target }) => target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);

  const start = () => {
    document.body.append(status);
    for (const [number, box] of [...document.querySelectorAll('[data-samples]')].entries()) makeTabs(box, number);
    addCopies(document);
    // A region that does not scroll needs no tab stop.
    for (const region of document.querySelectorAll('.t-scroll[tabindex]')) {
      if (region.scrollWidth <= region.clientWidth) region.removeAttribute('tabindex');
    }
    const open = makeSearch();
    for (const button of document.querySelectorAll('[data-search-open]')) {
      button.hidden = false;
      button.addEventListener('click', open);
    }
    document.addEventListener('keydown', (event) => {
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event);
      const isK = event.key === 'k' && (event.ctrlKey || event.metaKey);
      if (!isSlash && !isK) return;
      event.preventDefault();
      open();
    });
    document.querySelector('.d-side [aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
    document.querySelector('.t-header-tabs [aria-current]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
    watchSections();
  };

  // Highlights the current section in the contents.
  const watchSections = () => {
    const links = new Map([...document.querySelectorAll('.d-contents a')].map((link) => [link.hash.slice(1), link]));
    const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
    if (headings.length === 0) return;
    const mark = () => {
      const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
      const past = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3);
      const current = isEnd ? headings.at(-1) : (past.at(-1) ?? headings[0]);
      for (const [id, link] of links) {
        if (id === current.id) link.setAttribute('aria-current', 'true');
        else link.removeAttribute('aria-current');
      }
    };
    let isWaiting = false;
    addEventListener(
      'scroll',
      () => {
        if (isWaiting) return;
        isWaiting = true;
        requestAnimationFrame(() => {
          isWaiting = false;
          mark();
        });
      },
      { passive: true },
    );
    mark();
  };

  start();
})();
