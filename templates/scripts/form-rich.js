// The editor of formatted text. It opens only where it gives back the text as it was; else the text stays HTML source.
import '/scripts/package/purify.js';
import Squire from '/scripts/package/squire.js';

const words = JSON.parse(document.getElementById('t-form-words')?.textContent ?? '{}');
const icons = document.getElementById('t-form-icons')?.content;

/** A text as the browser understands it, so that two spellings of the same elements are equal. */
function toShape(html) {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.parentElement.closest('pre') ? node.data : node.data.replace(/\s+/g, ' ');
    if (node.nodeType !== Node.ELEMENT_NODE) return '';
    const attributes = [...node.attributes].map(({ name, value }) => ` ${name}=${JSON.stringify(value)}`).sort().join('');
    return `<${node.localName}${attributes}>${[...node.childNodes].map(walk).join('')}</>`;
  };
  // Space between blocks is no text.
  return [...body.childNodes].map(walk).join('').replace(/(<\/?[^>]*>)\s+(?=<)/g, '$1').replace(/\s+<\/>/g, '</>').trim();
}

/** Elements that the editor's tools can handle; a text with others is edited as HTML. */
const KNOWN = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code b strong i em u s a br img sub sup span div'.split(' '),
);
const isKnown = (html) =>
  [...new DOMParser().parseFromString(html, 'text/html').body.querySelectorAll('*')].every(({ localName }) => KNOWN.has(localName));

/** The text without the break that the editor keeps at the end of each block. */
function readHtml(editor) {
  const { body } = new DOMParser().parseFromString(editor.getHTML(), 'text/html');
  for (const last of body.querySelectorAll('br:last-child')) if (last.previousSibling && !last.nextSibling) last.remove();
  const isEmpty = body.textContent.trim() === '' && !body.querySelector('img');
  return isEmpty ? '' : body.innerHTML;
}

const TOOLS = [
  ['bold', 'bold', (editor) => (editor.hasFormat('B') ? editor.removeBold() : editor.bold())],
  ['italic', 'italic', (editor) => (editor.hasFormat('I') ? editor.removeItalic() : editor.italic())],
  ['heading', 'heading-2', (editor) => setBlock(editor, 'H2')],
  ['subheading', 'heading-3', (editor) => setBlock(editor, 'H3')],
  ['list', 'list', (editor) => (editor.hasFormat('UL') ? editor.removeList() : editor.makeUnorderedList())],
  ['numbers', 'list-ordered', (editor) => (editor.hasFormat('OL') ? editor.removeList() : editor.makeOrderedList())],
  ['quote', 'quote', (editor) => (editor.hasFormat('BLOCKQUOTE') ? editor.decreaseQuoteLevel() : editor.increaseQuoteLevel())],
  ['link', 'link', link],
  ['undo', 'undo-2', (editor) => editor.undo()],
  ['redo', 'redo-2', (editor) => editor.redo()],
];

function setBlock(editor, tag) {
  const wanted = editor.hasFormat(tag) ? 'P' : tag;
  editor.modifyBlocks((fragment) => {
    for (const block of [...fragment.querySelectorAll('p, h2, h3, h4, div')]) {
      const made = document.createElement(wanted);
      made.append(...block.childNodes);
      block.replaceWith(made);
    }
    return fragment;
  });
  editor.focus();
}

function link(editor) {
  if (editor.hasFormat('A')) return editor.removeLink();
  const address = prompt(words.address, 'https://');
  if (address && /^(https?:|mailto:|tel:|\/|#)/i.test(address.trim())) editor.makeLink(address.trim());
  return editor.focus();
}

/** A toolbar is one stop of the Tab key; arrows move within it. */
function addKeys(bar) {
  const buttons = [...bar.children];
  for (const [index, button] of buttons.entries()) button.tabIndex = index === 0 ? 0 : -1;
  bar.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = buttons.indexOf(document.activeElement);
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? buttons.length - 1 : at + (step ?? 0);
    if (next === at || !buttons[next]) return;
    event.preventDefault();
    buttons[at].tabIndex = -1;
    buttons[next].tabIndex = 0;
    buttons[next].focus();
  });
}

function toButton(icon, label) {
  const button = Object.assign(document.createElement('button'), { type: 'button', title: label });
  const drawn = icons?.querySelector(`[data-icon="${icon}"] > svg`);
  button.append(drawn ? drawn.cloneNode(true) : label);
  button.className = 't-button t-button-quiet t-button-small';
  button.setAttribute('aria-label', label);
  return button;
}

function note(area, text) {
  const hint = Object.assign(document.createElement('span'), { className: 't-hint', textContent: text });
  hint.dataset.richOn = '';
  area.before(hint);
}

/** Puts an editor in the place of a textarea, which still holds what is sent. */
function start(area) {
  const source = area.value;
  const label = area.getAttribute('aria-label') ?? area.closest('.t-field')?.querySelector('.t-label')?.textContent ?? '';
  const box = document.createElement('div');
  box.className = 't-input t-form-rich';
  for (const [name, value] of [['role', 'textbox'], ['aria-multiline', 'true'], ['aria-label', label.trim()]]) box.setAttribute(name, value);
  const describedBy = area.getAttribute('aria-describedby');
  if (describedBy) box.setAttribute('aria-describedby', describedBy);
  const frame = document.createElement('div');
  frame.dataset.richOn = '';
  frame.append(box);
  area.before(frame);
  const editor = new Squire(box, { blockTag: 'P', addLinks: false });
  // Tab leaves the editor, as it leaves every other field.
  for (const key of ['Tab', 'Shift-Tab']) editor.setKeyHandler(key, () => {});
  editor.setHTML(source);
  if (source.trim() !== '' && !(isKnown(source) && toShape(readHtml(editor)) === toShape(source))) {
    editor.destroy();
    frame.remove();
    note(area, words.source);
    return;
  }
  area.hidden = true;
  const bar = Object.assign(document.createElement('div'), { className: 't-row' });
  for (const [name, value] of [['role', 'toolbar'], ['aria-label', `${words.format} ${label.trim()}`]]) bar.setAttribute(name, value);
  for (const [name, icon, act] of TOOLS) {
    const button = toButton(icon, words[name]);
    button.addEventListener('click', () => act(editor));
    bar.append(button);
  }
  const toggle = toButton('code', words.html);
  toggle.addEventListener('click', () => {
    area.hidden = !area.hidden;
    box.hidden = !area.hidden;
    toggle.setAttribute('aria-pressed', String(!area.hidden));
    if (area.hidden) editor.setHTML(area.value);
  });
  bar.append(toggle);
  addKeys(bar);
  frame.prepend(bar);
  let isQuiet = true;
  editor.addEventListener('input', () => {
    if (isQuiet) return;
    area.value = readHtml(editor);
    area.dispatchEvent(new Event('input', { bubbles: true }));
  });
  // The editor reports its own start, which is no change.
  setTimeout(() => {
    isQuiet = false;
  });
  for (const type of ['t-restored', 't-cleared']) {
    area.addEventListener(type, () => {
      isQuiet = true;
      editor.setHTML(area.value);
      setTimeout(() => {
        isQuiet = false;
      });
    });
  }
}

for (const area of document.querySelectorAll('textarea[data-rich]')) start(area);
document.addEventListener('t-added', ({ target }) => start(target));
