// Live reload in development: reloads the page after a change, and shows the errors that prevent one.
(() => {
  const script = document.currentScript;
  const version = script?.dataset.version;
  const source = new EventSource(new URL('reload', script.src));
  let overlay;
  // Sets every property that a site's own styles could change, because the page below may have any styles.
  const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
  const MONO = 'ui-monospace, Menlo, Consolas, monospace';
  const WRAP = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' };

  const add = (parent, tag, text, style) => {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    Object.assign(element.style, style);
    parent.append(element);
    return element;
  };

  const addHide = (parent, style, hide) => {
    const plain = { color: '#f4f4f5', background: 'transparent', border: '1px solid #7c8290', borderRadius: '6px' };
    const button = add(parent, 'button', 'Hide', { ...plain, ...style, cursor: 'pointer' });
    button.type = 'button';
    button.addEventListener('click', hide);
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
      padding: 'clamp(1rem, 5vw, 4rem) 1rem',
      boxSizing: 'border-box',
      background: '#16181d',
      color: '#f4f4f5',
      font: `16px/1.5 ${SANS}`,
      letterSpacing: 'normal',
      textAlign: 'left',
    });
    overlay.id = 'treadle-overlay';
    overlay.setAttribute('role', 'alert');
    const page = add(overlay, 'div', '', { maxWidth: '52rem', margin: '0 auto' });
    const title = problems.length === 1 ? 'One problem' : `${problems.length} problems`;
    add(page, 'h1', title, { font: `650 24px/1.25 ${SANS}`, letterSpacing: 'normal', margin: '0', color: 'inherit' });
    const said = 'The last good version goes on being served. This goes away when the file is mended.';
    add(page, 'p', said, { margin: '8px 0 0', color: '#b4b8c2', font: 'inherit' });
    for (const problem of problems) {
      const box = add(page, 'section', '', {
        margin: '20px 0',
        padding: '14px 18px',
        background: '#20232b',
        borderLeft: '4px solid #f87171',
        borderRadius: '6px',
      });
      const place = [problem.file, problem.line, problem.line && problem.column].filter(Boolean).join(':');
      add(box, 'div', `${place}${problem.path ? `  ${problem.path}` : ''}`, {
        font: `14px/1.5 ${MONO}`,
        color: '#fca5a5',
        overflowWrap: 'anywhere',
        whiteSpace: 'pre-wrap',
      });
      add(box, 'div', problem.message, { ...WRAP, fontWeight: '600', marginTop: '4px' });
      if (problem.hint) add(box, 'div', problem.hint, { ...WRAP, color: '#c9cdd6', marginTop: '4px' });
    }
    addHide(page, { font: `600 15px/1.3 ${SANS}`, padding: '10px 18px' }, clear);
  };
  addEventListener('keydown', (event) => event.key === 'Escape' && clear());

  source.addEventListener('state', (event) => {
    const state = JSON.parse(event.data);
    if (state.problems.length > 0) show(state.problems);
    // A page that saves definitions stays: its message, and what is typed into it, would be lost.
    else if (version && state.version !== version && document.body.dataset.stays === undefined) location.reload();
    else clear();
  });

  // Milliseconds by which the clocks of server and browser may differ.
  const CLOCK_MS = 2000;
  const base = new URL(script.src).pathname.replace(/\/__treadle\/.*$/, '');
  const slow = new Map();
  let note;

  // The page can scroll what the note covers out from under it.
  const leaveRoom = () => {
    const room = note?.isConnected ? `${note.offsetHeight + 24}px` : '';
    Object.assign(document.documentElement.style, { paddingBottom: room, scrollPaddingBottom: room });
  };

  const showSlow = () => {
    note?.remove();
    note = add(document.body, 'div', '', {
      position: 'fixed',
      inset: 'auto 12px 12px auto',
      zIndex: '2147483646',
      boxSizing: 'border-box',
      width: 'min(34rem, calc(100vw - 24px))',
      maxHeight: '60vh',
      overflow: 'auto',
      padding: '12px 16px',
      background: '#16181d',
      color: '#f4f4f5',
      border: '1px solid #7c8290',
      borderLeft: '4px solid #fbbf24',
      borderRadius: '6px',
      font: `14px/1.5 ${SANS}`,
      letterSpacing: 'normal',
      textAlign: 'left',
    });
    note.id = 'treadle-slow';
    note.setAttribute('role', 'status');
    const title = slow.size === 1 ? 'A slow search of this page' : `${slow.size} slow searches of this page`;
    add(note, 'div', title, { font: `650 15px/1.4 ${SANS}`, color: 'inherit' });
    for (const { search, milliseconds, plan, remedy } of slow.values()) {
      const box = add(note, 'div', '', { marginTop: '8px' });
      add(box, 'div', `${search} — ${milliseconds} ms`, { ...WRAP, font: `13px/1.5 ${MONO}`, color: '#fde68a' });
      if (plan) add(box, 'div', `It ${plan}.`, { ...WRAP, color: '#c9cdd6' });
      if (remedy) add(box, 'div', remedy, { ...WRAP, fontWeight: '600' });
    }
    const style = { font: `600 14px/1.3 ${SANS}`, marginTop: '10px', padding: '6px 14px' };
    addHide(note, style, () => {
      note.remove();
      leaveRoom();
    });
    leaveRoom();
  };

  source.addEventListener('slow', (event) => {
    const isOwn = ({ path, at }) => base + path === location.pathname && at > performance.timeOrigin - CLOCK_MS;
    const own = JSON.parse(event.data).filter(isOwn);
    for (const advice of own) slow.set(advice.search, advice);
    if (own.length > 0) showSlow();
  });
  addEventListener('pagehide', () => source.close());
})();
