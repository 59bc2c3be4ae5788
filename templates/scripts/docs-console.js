// The console of a call's page: sends the call of its form, and shows the answer.
(() => {
  const form = document.querySelector('[data-console]');
  const result = document.querySelector('[data-result]');
  if (!form || !result) return;
  const { server, path, access } = form.dataset;
  const words = JSON.parse(document.querySelector('script[data-words]').dataset.words);
  const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
  const problem = form.querySelector('[data-problem]');
  const target = form.querySelector('[data-target]');
  const fields = [...form.querySelectorAll('[data-place]')];
  const get = (name) => form.elements.namedItem(name);
  const SHOWN = 200_000;
  const KEPT = ['token', 'client', 'secret'];

  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // Credentials stay in this tab, and only if the reader chose that.
  const store = (change) => {
    try {
      change(sessionStorage);
    } catch {}
  };
  const keepCredentials = () =>
    store((kept) => {
      const isKept = get('keep')?.checked;
      for (const name of KEPT) {
        if (!get(name)) continue;
        if (isKept) kept.setItem(`treadle-docs-${name}`, get(name).value);
        else kept.removeItem(`treadle-docs-${name}`);
      }
    });
  store((kept) => {
    for (const name of KEPT) {
      const value = kept.getItem(`treadle-docs-${name}`);
      if (!value || !get(name)) continue;
      get(name).value = value;
      get('keep').checked = true;
    }
  });

  const listQuery = () => {
    const query = new URLSearchParams();
    for (const field of fields) {
      if (field.dataset.place === 'query' && field.value !== '') query.append(field.dataset.name, field.value);
    }
    const isRead = get('method').value === 'GET';
    if (access === 'app' && get('client').value !== '' && (isRead && get('secret').value === '')) {
      query.append('client_id', get('client').value);
    }
    return query;
  };
  const toAddress = () => {
    const values = new Map(
      fields.filter(({ dataset }) => dataset.place === 'path').map(({ dataset, value }) => [`:${dataset.name}`, value]),
    );
    const filled = path
      .split('/')
      .map((segment) => (values.has(segment) ? encodeURIComponent(values.get(segment)) || segment : segment))
      .join('/');
    const query = String(listQuery());
    return `${filled}${query === '' ? '' : `?${query}`}`;
  };
  const showTarget = () => {
    target.textContent = `${get('method').value} ${toAddress()}`;
  };

  const toHeaders = (hasBody) => {
    const headers = {};
    if (access === 'user' && get('token').value !== '') headers.Authorization = `Bearer ${get('token').value.trim()}`;
    if (access === 'app' && get('secret').value !== '') {
      const pair = new TextEncoder().encode(`${get('client').value.trim()}:${get('secret').value.trim()}`);
      headers.Authorization = `Basic ${btoa(String.fromCharCode(...pair))}`;
    }
    if (hasBody) headers['Content-Type'] = 'application/json';
    return headers;
  };

  const toPretty = (text, type) => {
    if (!/json/.test(type)) return text;
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  };

  const show = (answer, text, milliseconds) => {
    const isGood = answer.ok || answer.status === 304;
    const head = make('p', '');
    head.append(
      make('span', `d-status t-badge t-badge-${isGood ? 'success' : 'danger'}`, `${answer.status} ${answer.statusText}`.trim()),
      make('span', 't-muted', ` ${say('size', { milliseconds: Math.round(milliseconds), bytes: new TextEncoder().encode(text).length })}`),
    );
    const headers = make('details', 't-more');
    const lines = [...answer.headers].map(([name, value]) => `${name}: ${value}`);
    headers.append(make('summary', '', say('headers', { count: lines.length })));
    const list = make('pre', 't-code t-code-wrap', lines.join('\n'));
    list.tabIndex = 0;
    list.setAttribute('aria-label', say('headersOf'));
    headers.append(list);
    const pretty = toPretty(text, answer.headers.get('content-type') ?? '');
    const body = make('pre', 't-code d-tall', pretty === '' ? say('noBody') : pretty.slice(0, SHOWN));
    body.tabIndex = 0;
    body.setAttribute('aria-label', say('bodyOf'));
    result.replaceChildren(head, headers, body);
    if (pretty.length > SHOWN) result.append(make('p', 't-muted t-small', say('first', { count: SHOWN })));
    result.hidden = false;
  };

  const findProblem = (method) => {
    const empty = fields.find((field) => field.required && field.value === '');
    if (empty) return [empty, say('required', { name: empty.dataset.name })];
    if (access === 'user' && get('token').value === '') return [get('token'), say('token')];
    if (method === 'GET' || !get('body') || get('body').value.trim() === '') return undefined;
    try {
      JSON.parse(get('body').value);
    } catch (error) {
      return [get('body'), say('noJson', { fault: error.message })];
    }
    return undefined;
  };

  const send = async () => {
    const method = get('method').value;
    const found = findProblem(method);
    problem.textContent = found ? found[1] : '';
    for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
    if (found) {
      found[0].setAttribute('aria-invalid', 'true');
      found[0].focus();
      return;
    }
    keepCredentials();
    const body = method === 'GET' ? undefined : get('body')?.value.trim() || undefined;
    const button = form.querySelector('[type=submit]');
    button.disabled = true;
    const begun = performance.now();
    try {
      const answer = await fetch(server + toAddress(), {
        method,
        headers: toHeaders(body !== undefined),
        body,
        // Never sends the reader's own session.
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'manual',
      });
      show(answer, await answer.text(), performance.now() - begun);
      result.focus({ preventScroll: true });
      result.scrollIntoView({ block: 'nearest' });
    } catch {
      problem.textContent = say(server === '' ? 'offline' : 'refused', { server });
    } finally {
      button.disabled = false;
    }
  };

  form.noValidate = true;
  form.hidden = false;
  document.querySelector('[data-instead]')?.remove();
  form.addEventListener('input', showTarget);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
  showTarget();
})();
