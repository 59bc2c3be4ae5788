import { putBasePath } from './base-path.ts';

/** Attributes that hold one address. `data-*`: those that scripts read one from. */
const ADDRESSES = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'poster',
  'cite',
  'background',
  'manifest',
  'xlink:href',
  'data-href',
  'data-src',
  'data-inbox',
  'data-index',
  'data-live',
  'data-picker',
]);
/** Attributes that hold several addresses, each with a size. */
const LISTS = new Set(['srcset', 'imagesrcset']);

const TAG = /[a-z][^\s/>]*/iy;
/** A name, and a value in double or single quotes or without. @see https://html.spec.whatwg.org/#before-attribute-name-state */
const ATTRIBUTE = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/y;
/** A value without its second quote goes on to the end of the text. */
const UNCLOSED = /\s*=\s*["']/y;
/** Elements with text instead of tags, and what ends them. */
const TEXTS: ReadonlyMap<string, RegExp> = new Map(
  ['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [
    name,
    new RegExp(`</${name}(?=[\\s/>])`, 'gi'),
  ]),
);
/** Ends of a comment; `<!-->` and `<!--->` are whole ones. */
const COMMENT_END = /--!?>/g;
/** `5; url=/here` of a refresh. */
const REFRESH = /^([\d.\s]*[;,]?\s*(?:url\s*=\s*)?['"]?)(\/.*)$/is;
/** One address of a list, with its size. */
const CANDIDATE = /([\s,]*)(\S*[^\s,])(,+(?=\s|$)|\s[^,]*|$)/g;

type ToAddress = (address: string) => string;

interface Attribute {
  readonly name: string;
  readonly value: string;
  /** Where the value begins. */
  readonly at: number;
}

/** The address that a refresh names, replaced. */
export const mapRefresh = (text: string, toAddress: ToAddress): string =>
  text.replace(REFRESH, (_all, start: string, address: string) => start + toAddress(address));

const mapList = (text: string, toAddress: ToAddress): string =>
  text.replace(CANDIDATE, (_all, before: string, address: string, size: string) => before + toAddress(address) + size);

/** Browsers drop blanks around an address. */
function mapOne(text: string, toAddress: ToAddress): string {
  const bare = text.trimStart();
  return bare.startsWith('/') ? text.slice(0, text.length - bare.length) + toAddress(bare) : text;
}

function mapValue(tag: string, { name, value }: Attribute, isRefresh: boolean, toAddress: ToAddress): string {
  if (ADDRESSES.has(name) || (name === 'data' && tag === 'object')) return mapOne(value, toAddress);
  if (LISTS.has(name)) return mapList(value, toAddress);
  return name === 'content' && isRefresh ? mapRefresh(value, toAddress) : value;
}

/** Reads a text once, from tag to tag. */
class Scan {
  readonly #html: string;
  readonly #toAddress: ToAddress;
  #made = '';
  /** What is before it was taken over. */
  #done = 0;

  constructor(html: string, toAddress: ToAddress) {
    this.#html = html;
    this.#toAddress = toAddress;
  }

  run(): string {
    let at = this.#html.indexOf('<');
    while (at >= 0) at = this.#html.indexOf('<', this.#pass(at));
    return this.#made + this.#html.slice(this.#done);
  }

  /** Where the tag, the comment or the element of text that begins at a `<` ends. */
  #pass(at: number): number {
    if (this.#html.startsWith('<!--', at)) return this.#find(COMMENT_END, at + 2);
    TAG.lastIndex = at + 1;
    const tag = TAG.exec(this.#html)?.[0].toLowerCase();
    if (tag === undefined) return at + 1;
    const end = this.#passTag(tag, at + 1 + tag.length);
    const last = TEXTS.get(tag);
    return last === undefined ? end : this.#find(last, end);
  }

  /** The end of the next place of a pattern, or of the text. */
  #find(pattern: RegExp, from: number): number {
    pattern.lastIndex = from;
    return pattern.test(this.#html) ? pattern.lastIndex : this.#html.length;
  }

  #passTag(tag: string, from: number): number {
    const attributes: Attribute[] = [];
    let at = from;
    ATTRIBUTE.lastIndex = at;
    for (let found = ATTRIBUTE.exec(this.#html); found; found = ATTRIBUTE.exec(this.#html)) {
      at = ATTRIBUTE.lastIndex;
      const [, name = '', double, single, bare] = found;
      const value = double ?? single ?? bare;
      if (value === undefined) {
        UNCLOSED.lastIndex = at;
        if (UNCLOSED.test(this.#html)) return this.#html.length;
        continue;
      }
      const quote = bare === undefined ? 1 : 0;
      attributes.push({ name: name.toLowerCase(), value, at: at - quote - value.length });
    }
    const isRefresh =
      tag === 'meta' && attributes.some(({ name, value }) => name === 'http-equiv' && /^\s*refresh\s*$/i.test(value));
    for (const attribute of attributes) this.#take(attribute, mapValue(tag, attribute, isRefresh, this.#toAddress));
    return at;
  }

  #take({ value, at }: Attribute, made: string): void {
    if (made === value) return;
    this.#made += this.#html.slice(this.#done, at) + made;
    this.#done = at + value.length;
  }
}

/**
 * Replaces the addresses in the attributes of HTML. Texts, comments, scripts, styles and other attributes stay as they are.
 *
 * @param toAddress Gets each address that begins with a slash.
 */
export const mapAddresses = (html: string, toAddress: ToAddress): string => new Scan(html, toAddress).run();

/** HTML whose local addresses are under the base path. */
export const putBasePathInHtml = (basePath: string, html: string): string =>
  basePath === '' ? html : mapAddresses(html, (address) => putBasePath(basePath, address));
