// Zooms and moves the drawing of the model. Without it the drawing scrolls.
const svg = document.querySelector('[data-drawing]');
const bar = document.querySelector('[data-zoom]');
if (svg && bar) {
  const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
  const view = { x: 0, y: 0, scale: 1 };
  const frame = svg.parentElement;
  frame.classList.add('t-drawing-moved');
  svg.setAttribute('width', '100%');
  svg.setAttribute('height', '100%');
  const draw = () => {
    const box = frame.getBoundingClientRect();
    svg.setAttribute('viewBox', `${view.x} ${view.y} ${box.width / view.scale} ${box.height / view.scale}`);
  };
  const fit = () => {
    const box = frame.getBoundingClientRect();
    view.scale = Math.min(1.5, box.width / width, box.height / height);
    view.x = (width - box.width / view.scale) / 2;
    view.y = Math.min(0, (height - box.height / view.scale) / 2);
    draw();
  };
  const zoom = (by, atX, atY) => {
    const scale = Math.min(4, Math.max(0.1, view.scale * by));
    view.x += atX / view.scale - atX / scale;
    view.y += atY / view.scale - atY / scale;
    view.scale = scale;
    draw();
  };
  const middle = () => [frame.clientWidth / 2, frame.clientHeight / 2];
  bar.hidden = false;
  for (const button of bar.querySelectorAll('[data-zoom-by]'))
    button.addEventListener('click', () => zoom(Number(button.dataset.zoomBy), ...middle()));
  bar.querySelector('[data-zoom-fit]').addEventListener('click', fit);
  frame.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.1 : 0.9, event.offsetX, event.offsetY);
    },
    { passive: false },
  );
  const moves = { ArrowLeft: [-40, 0], ArrowRight: [40, 0], ArrowUp: [0, -40], ArrowDown: [0, 40] };
  frame.addEventListener('keydown', (event) => {
    if (event.key === '+' || event.key === '-') zoom(event.key === '+' ? 1.25 : 0.8, ...middle());
    else if (moves[event.key]) {
      view.x += moves[event.key][0] / view.scale;
      view.y += moves[event.key][1] / view.scale;
      draw();
    } else return;
    event.preventDefault();
  });
  let from;
  let isMoved = false;
  frame.addEventListener('pointerdown', (event) => {
    from = event.button === 0 ? { x: event.clientX, y: event.clientY } : undefined;
    isMoved = false;
  });
  addEventListener('pointermove', (event) => {
    if (!from) return;
    if (Math.abs(event.clientX - from.x) + Math.abs(event.clientY - from.y) < 4 && !isMoved) return;
    isMoved = true;
    view.x -= (event.clientX - from.x) / view.scale;
    view.y -= (event.clientY - from.y) / view.scale;
    from = { x: event.clientX, y: event.clientY };
    draw();
  });
  addEventListener('pointerup', () => {
    from = undefined;
  });
  // A drag is no click on the schema where it began.
  frame.addEventListener('click', (event) => isMoved && event.preventDefault(), true);
  frame.addEventListener('dragstart', (event) => event.preventDefault());
  addEventListener('resize', draw);
  fit();
}
