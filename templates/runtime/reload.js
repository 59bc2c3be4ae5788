// Live reload in development: reloads the page when something new is served, and shows what stands in the way of it.
(() => {
  const script = document.currentScript;
  const version = script?.dataset.version;
  const source = new EventSource('/__treadle/reload');
  let overlay;

  const add = (parent, tag, text, style) => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    Object.assign(element.style, style);
    parent.append(element);
    return element;
  };

  const clear = () => {
    overlay?.remove();
    overlay = undefined;
  };

  const show = (problems) => {
    clear();
    overlay = add(document.body, 'div', '', {
      position: 'fixed',
      inset: '0',
      zIndex: '2147483647',
      overflow: 'auto',
      padding: '2rem',
      background: 'rgba(16, 18, 24, 0.94)',
      color: '#f4f4f5',
      font: '15px/1.5 ui-monospace, monospace',
    });
    overlay.id = 'treadle-overlay';
    overlay.setAttribute('role', 'alert');
    add(overlay, 'h1', problems.length === 1 ? 'One problem' : `${problems.length} problems`, { fontSize: '1.3rem', margin: '0' });
    add(overlay, 'p', 'The last good version goes on being served. This goes away when the file is mended.', { opacity: '0.75' });
    for (const problem of problems) {
      const box = add(overlay, 'section', '', { margin: '1.5rem 0', borderLeft: '3px solid #f87171', paddingLeft: '1rem' });
      const place = [problem.file, problem.line, problem.line && problem.column].filter(Boolean).join(':');
      add(box, 'div', `${place}${problem.path ? ` ${problem.path}` : ''}`, { color: '#fca5a5' });
      add(box, 'div', problem.message, { whiteSpace: 'pre-wrap', fontWeight: '600' });
      if (problem.hint) add(box, 'div', problem.hint, { whiteSpace: 'pre-wrap', opacity: '0.85' });
    }
    add(overlay, 'button', 'Hide', { font: 'inherit', padding: '0.4rem 1rem' }).addEventListener('click', clear);
  };

  source.addEventListener('state', (event) => {
    const state = JSON.parse(event.data);
    if (state.problems.length > 0) show(state.problems);
    else if (version && state.version !== version) location.reload();
    else clear();
  });
  addEventListener('pagehide', () => source.close());
})();
