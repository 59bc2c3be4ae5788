/** Elements inside a word: `b<b>old</b>` is "bold". Any other element separates words. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
/** Elements with content other than text. */
const UNREAD: ReadonlySet<string> = new Set(['script', 'style']);
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", szlig: 'ss', aelig: 'ae', oelig: 'oe', shy: '' }),
);
/** `&eacute;` becomes "e", since words are compared without accents anyway. */
const ACCENTED = /^([a-z])(?:acute|grave|uml|circ|tilde|cedil|ring|caron|slash)$/i;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,31}));?/gi;
/**
 * Followed by a character that may follow a tag name, so that Markdown's `<https://example.org>` stays text.
 */
const NAME = /\/?([a-z][a-z0-9-]{0,63})(?=[\s/>])/iy;

function decodeNumber(number: number): string {
  return number > 0 && number <= 0x10ffff ? String.fromCodePoint(number) : ' ';
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (_whole, decimal?: string, hex?: string, name = '') => {
    if (decimal !== undefined) return decodeNumber(Number(decimal));
    if (hex !== undefined) return decodeNumber(Number.parseInt(hex, 16));
    return NAMED.get(name.toLowerCase()) ?? ACCENTED.exec(name)?.[1] ?? ' ';
  });
}

/** Reads markup in one pass. A failed search is not repeated, which keeps the time linear. */
class Reader {
  readonly #text: string;
  readonly #lower: string;
  readonly #vain = new Set<string>();
  /** True once a quote was not closed; quotes are then ignored. */
  #isLoose = false;

  constructor(text: string) {
    this.#text = text;
    // ASCII only, so that no letter changes its length.
    this.#lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  }

  find(wanted: string, from: number): number {
    if (this.#vain.has(wanted)) return -1;
    const found = this.#lower.indexOf(wanted, from);
    if (found < 0) this.#vain.add(wanted);
    return found;
  }

  /**
   * Index after a tag that starts before `from`; a `>` in closed quotes does not end it. -1 if it does not
   * end.
   */
  findTagEnd(from: number): number {
    const nearest = this.find('>', from);
    if (nearest < 0) return -1;
    for (let at = from; at < this.#text.length && !this.#isLoose; at += 1) {
      const letter = this.#text[at];
      if (letter === '>') return at + 1;
      if (letter !== '"' && letter !== "'") continue;
      const closing = this.find(letter, at + 1);
      if (closing < 0) break;
      at = closing;
    }
    this.#isLoose = true;
    return nearest + 1;
  }

  nameAt(at: number): string | undefined {
    NAME.lastIndex = at;
    return NAME.exec(this.#lower)?.[1];
  }

  /**
   * The tag or comment at a `<`: its end, and the text to read instead. Undefined if the `<` is only a
   * character.
   */
  tagAt(open: number): { readonly end: number; readonly text: string } | undefined {
    if (this.#text.startsWith('<!--', open)) {
      const end = this.find('-->', open + 4);
      return end < 0 ? undefined : { end: end + 3, text: '' };
    }
    const isDeclaration = /[!?]/.test(this.#text[open + 1] ?? '');
    const name = this.nameAt(open + 1);
    if (name === undefined && !isDeclaration) return undefined;
    const end = this.findTagEnd(open + 1);
    if (end < 0) return undefined;
    const isOpening = this.#text[open + 1] !== '/';
    const closing = name !== undefined && isOpening && UNREAD.has(name) ? this.find(`</${name}`, end) : -1;
    if (closing >= 0) return { end: closing, text: ' ' };
    return { end, text: name !== undefined && INLINE.has(name) ? '' : ' ' };
  }
}

/** The text that a reader of HTML (or of Markdown with HTML) sees: without tags, scripts and styles. */
export function toPlainText(markup: string): string {
  if (!markup.includes('<')) return decodeEntities(markup);
  const reader = new Reader(markup);
  const parts: string[] = [];
  let at = 0;
  for (let open = markup.indexOf('<'); open >= 0; open = markup.indexOf('<', at)) {
    parts.push(markup.slice(at, open));
    const tag = reader.tagAt(open);
    parts.push(tag?.text ?? '<');
    at = tag?.end ?? open + 1;
  }
  parts.push(markup.slice(at));
  return decodeEntities(parts.join(''));
}
