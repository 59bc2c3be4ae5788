// The inbox of web hooks: polls the list while the page is visible, and keeps open items open.
(() => {
  const list = document.querySelector('[data-inbox]');
  const state = document.querySelector('[data-inbox-state]');
  if (!list) return;
  const EVERY_MS = 1500;
  let shown = '';

  const tell = (text) => {
    if (!state) return;
    state.hidden = false;
    if (state.textContent !== text) state.textContent = text;
  };

  // The inner details element of an event has no id.
  const nameOf = (fold) => fold.id || `${fold.parentElement?.closest('details')?.id} more`;

  const show = (html) => {
    if (html === shown) return;
    shown = html;
    const open = new Set([...list.querySelectorAll('details[open]')].map(nameOf));
    const active = document.activeElement;
    const focused = list.contains(active) ? active?.closest('details')?.id : undefined;
    list.innerHTML = html;
    for (const each of list.querySelectorAll('details')) if (open.has(nameOf(each))) each.open = true;
    if (focused) document.getElementById(focused)?.querySelector('summary')?.focus({ preventScroll: true });
  };

  const ask = async () => {
    if (document.visibilityState === 'visible') {
      try {
        const answer = await fetch(list.dataset.inbox, { headers: { accept: 'application/json' }, cache: 'no-store' });
        if (!answer.ok) throw new Error(String(answer.status));
        show((await answer.json()).list);
        tell(state?.dataset.live);
      } catch {
        tell(state?.dataset.lost);
      }
    }
    setTimeout(ask, EVERY_MS);
  };
  void ask();
})();
