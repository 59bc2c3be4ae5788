// The editor of formatted text. It opens only if it gives the text back unchanged; otherwise the text stays HTML source.
import './package/purify.js';
import Squire from './package/squire.js';
import { RichText, toShape } from './rich-text.js';

const words = JSON.parse(document.getElementById('t-form-words')?.textContent ?? '{}');
const icons = document.getElementById('t-form-icons')?.content;

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
  const text = new RichText(words);
  const pass = (html) => {
    editor.setHTML(html);
    return editor.getHTML();
  };
  let isQuiet = true;
  const load = (html) => {
    // The editor reports its own start as a change a moment later.
    isQuiet = true;
    setTimeout(() => {
      isQuiet = false;
    });
    const editable = text.toEditable(html, pass);
    editor.setHTML(editable);
    return editable;
  };
  const editable = load(source);
  if (source.trim() !== '' && (text.isFixed(editable) || toShape(text.read(editor.getHTML())) !== toShape(source))) {
    editor.destroy();
    frame.remove();
    note(area, words.source);
    return;
  }
  area.hidden = true;
  if (editable.includes('data-fixed')) note(area, words.fixed);
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
    if (area.hidden) load(area.value);
  });
  bar.append(toggle);
  addKeys(bar);
  frame.prepend(bar);
  editor.addEventListener('input', () => {
    if (isQuiet) return;
    area.value = text.read(editor.getHTML());
    area.dispatchEvent(new Event('input', { bubbles: true }));
  });
  for (const type of ['t-restored', 't-cleared']) area.addEventListener(type, () => load(area.value));
}

for (const area of document.querySelectorAll('textarea[data-rich]')) start(area);
document.addEventListener('t-added', ({ target }) => start(target));
