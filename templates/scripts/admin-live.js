// Renews the parts of the first page while it is visible. Without this script the page has a link to reload it.
const root = document.querySelector('[data-live]');
const state = document.querySelector('[data-live-state]');
const AGAIN_MS = 15_000;
let stream;
let timer;

function tell(isLive) {
  state.hidden = false;
  state.textContent = isLive ? state.dataset.liveLabel : state.dataset.pausedLabel;
}

/** Replaces a part, unless somebody is in it. What was unfolded stays unfolded. */
function renew(name, html) {
  const part = root.querySelector(`[data-live-part="${name}"]`);
  if (!part || part.contains(document.activeElement)) return;
  const open = [...part.querySelectorAll('details')].map((details) => details.open);
  part.innerHTML = html;
  for (const [index, details] of [...part.querySelectorAll('details')].entries()) details.open = open[index] ?? false;
}

function close() {
  clearTimeout(timer);
  stream?.close();
  stream = undefined;
}

function open() {
  close();
  stream = new EventSource(root.dataset.live);
  stream.addEventListener('open', () => tell(true));
  stream.addEventListener('parts', ({ data }) => {
    for (const [name, html] of Object.entries(JSON.parse(data))) renew(name, html);
  });
  stream.addEventListener('error', () => {
    tell(false);
    // The browser gives up after a refusal, such as one of a proxy while the server starts again.
    if (stream?.readyState === EventSource.CLOSED) timer = setTimeout(open, AGAIN_MS);
  });
}

if (root && state) {
  // A page in the background needs no connection.
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  addEventListener('pagehide', close);
  addEventListener('pageshow', ({ persisted }) => persisted && open());
  if (!document.hidden) open();
}
