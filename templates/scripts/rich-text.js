// Formatted text on its way into the editor and back: elements that the editor spells differently keep their name, and
// blocks that it cannot edit, such as a table, become a picture that is moved or removed as one.

const parse = (html) => new DOMParser().parseFromString(html, 'text/html').body;

/** The editor's name of an element, by the name in the text. */
const SPELLED = { b: 'b', i: 'i', strong: 'b', em: 'i', ins: 'u', del: 's', strike: 's' };

/** Elements of a line; at the top level of a text they get a paragraph in the editor. */
const INLINE = new Set('a abbr b strong i em u ins s del strike code kbd samp var br img sub sup span small mark q cite time'.split(' '));

/** Blocks that the editor's tools can handle. */
const BLOCKS = new Set('p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre div'.split(' '));
const isKnown = (html) =>
  [...parse(html).querySelectorAll('*')].every(({ localName }) => INLINE.has(localName) || BLOCKS.has(localName));

function rename(element, name) {
  const renamed = element.ownerDocument.createElement(name);
  for (const { name: key, value } of [...element.attributes]) renamed.setAttribute(key, value);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
  return renamed;
}

function walkText(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.parentElement.closest('pre') ? node.data : node.data.replace(/\s+/g, ' ');
  if (node.nodeType === Node.COMMENT_NODE) return `<!${node.data}>`;
  if (node.nodeType !== Node.ELEMENT_NODE) return '';
  const attributes = [...node.attributes].map(({ name, value }) => ` ${name}=${JSON.stringify(value)}`).sort().join('');
  return `<${node.localName}${attributes}>${[...node.childNodes].map(walkText).join('')}</>`;
}

/** A text as the browser understands it, so that two spellings of the same elements are equal. */
export function toShape(html) {
  const text = [...parse(html).childNodes].map(walkText).join('');
  // Space between blocks is not text.
  return text.replace(/(<\/?[^>]*>)\s+(?=<)/g, '$1').replace(/\s+<\/>/g, '</>').trim();
}

const isLine = (node) =>
  node.nodeType === Node.TEXT_NODE || (node.nodeType === Node.ELEMENT_NODE && INLINE.has(node.localName));

/** Puts words and pictures outside of a block into a paragraph, which `readRich` takes away again. */
function wrapLines(body) {
  let line;
  for (const node of [...body.childNodes]) {
    if (!isLine(node)) line = undefined;
    else if (line) line.append(node);
    else if (node.nodeType === Node.ELEMENT_NODE || node.data.trim() !== '') {
      line = body.ownerDocument.createElement('p');
      line.dataset.line = '';
      node.replaceWith(line);
      line.append(node);
    }
  }
}

/** A text in the editor's spelling, one block after the other. */
function toBlocks(html) {
  const body = parse(html);
  wrapLines(body);
  for (const element of body.querySelectorAll(Object.keys(SPELLED).join())) {
    element.dataset.tag = element.localName;
    rename(element, SPELLED[element.localName]);
  }
  return [...body.childNodes]
    .map((node) => node.outerHTML ?? (node.nodeType === Node.COMMENT_NODE ? `<!--${node.data}-->` : ''))
    .filter((block) => block !== '');
}

/** A block in the text's own spelling. */
function toSource(block) {
  const body = parse(block);
  for (const element of body.querySelectorAll('[data-tag]')) {
    const { tag } = element.dataset;
    delete element.dataset.tag;
    rename(element, tag);
  }
  for (const line of body.querySelectorAll('p[data-line]')) line.replaceWith(...line.childNodes);
  return body.innerHTML;
}

/** A box with the name of a block in it. */
function draw(label) {
  const text = label.replace(/[<>&"]/g, '');
  const width = 40 + text.length * 9;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="40"><rect x=".5" y=".5" width="${width - 1}" height="39" rx="4" fill="#f3f3f1" stroke="#8a8a85"/><text x="50%" y="25" text-anchor="middle" font-family="sans-serif" font-size="14" fill="#33332f">${text}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Keeps what the editor does not know of one text. */
export class RichText {
  #fixed = [];
  /** The words of the elements that stay fixed, by name; `other` for all others. */
  #words;
  /** Whether the text writes bold and italic letters as `<b>` and `<i>`. */
  #isPlain;

  constructor(words) {
    this.#words = words;
  }

  #toPicture(block) {
    const [element] = parse(block).children;
    const inner = element?.querySelector('table, iframe, video, audio') ?? element;
    const label = this.#words[inner?.localName] ?? this.#words.other;
    this.#fixed.push(block);
    return `<p><img data-fixed="${this.#fixed.length - 1}" alt="${label}" src="${draw(label)}"></p>`;
  }

  /**
   * The HTML for the editor.
   *
   * @param pass What the editor makes of HTML that it is given.
   */
  toEditable(html, pass) {
    const keeps = (block) => toShape(this.read(pass(block))) === toShape(toSource(block));
    this.#fixed = [];
    this.#isPlain = /<[bi][\s>]/i.test(html) && !/<(?:strong|em)[\s>]/i.test(html);
    const blocks = toBlocks(html);
    const whole = blocks.join('');
    if (isKnown(whole) && keeps(whole)) return whole;
    return blocks.map((block) => (isKnown(block) && keeps(block) ? block : this.#toPicture(block))).join('');
  }

  /** True if the editor can edit nothing of the text. */
  isFixed(editable) {
    const { children } = parse(editable);
    return children.length > 0 && [...children].every((block) => block.querySelector('img[data-fixed]'));
  }

  /** The text from the editor's HTML. */
  read(edited) {
    const body = parse(edited);
    // The editor keeps a break at the end of each block.
    for (const last of body.querySelectorAll('br:last-child')) if (last.previousSibling && !last.nextSibling) last.remove();
    // And a block in each item of a list that has a list in it.
    for (const block of body.querySelectorAll('li > div:first-child:not([class])'))
      if (!block.parentElement.querySelector(':scope > div ~ div')) block.replaceWith(...block.childNodes);
    for (const element of body.querySelectorAll('b, i, u, s')) {
      const { tag } = element.dataset;
      delete element.dataset.tag;
      const name = tag ?? (this.#isPlain ? undefined : { b: 'strong', i: 'em' }[element.localName]);
      if (name in SPELLED) rename(element, name);
    }
    const lines = [...body.querySelectorAll('p[data-line]')];
    for (const line of lines) {
      delete line.dataset.line;
      const isNext = lines.includes(line.previousElementSibling) || lines.includes(line.nextElementSibling);
      if (!isNext) line.replaceWith(...line.childNodes);
    }
    this.#putBack(body);
    const isEmpty = body.textContent.trim() === '' && !body.querySelector('img, iframe, video, audio, hr, table');
    return isEmpty ? '' : body.innerHTML;
  }

  #putBack(body) {
    for (const picture of body.querySelectorAll('img[data-fixed]')) {
      const block = [...body.children].find((one) => one.contains(picture));
      picture.remove();
      block.insertAdjacentHTML('afterend', toSource(this.#fixed[Number(picture.dataset.fixed)] ?? ''));
      if (block.textContent.trim() === '' && !block.querySelector('img')) block.remove();
    }
  }
}
