import { type HtmlElement, type HtmlNode, parseHtml } from './html.ts';

/** What a reader of text cannot use: forms and their results, and parts that only a script fills. */
const SKIPPED: ReadonlySet<string> = new Set([
  'form',
  'button',
  'input',
  'select',
  'textarea',
  'script',
  'style',
  'svg',
  'nav',
]);
const BLOCKS: ReadonlySet<string> = new Set(
  'article section header footer div p ul ol li dl dt dd table pre details summary h1 h2 h3 h4 blockquote'.split(' '),
);

/** Languages of the samples, by their tabs. */
const FENCES: ReadonlyMap<string, string> = new Map(
  Object.entries({ curl: 'sh', js: 'js', node: 'js', python: 'python', php: 'php' }),
);

export interface MarkdownOptions {
  /** The address of a link, as the page has it. */
  readonly toHref: (href: string) => string;
}

const isElement = (node: HtmlNode): node is HtmlElement => typeof node !== 'string';
const isBlock = (node: HtmlNode): boolean => isElement(node) && BLOCKS.has(node.tag);

const isSkipped = ({ tag, attributes }: HtmlElement): boolean =>
  SKIPPED.has(tag) || attributes.hidden !== undefined || attributes['aria-labelledby'] === 'try';

const escapeText = (text: string): string => text.replace(/[\\`*[\]<]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\$&');

function readText(node: HtmlNode): string {
  return isElement(node) ? node.children.map(readText).join('') : node;
}

/** Text in ticks, as many as it needs. */
function printCode(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  const ticks = '`'.repeat(1 + Math.max(0, ...runs));
  const gap = /^`|`$/.test(text) ? ' ' : '';
  return `${ticks}${gap}${text}${gap}${ticks}`;
}

function printFence(text: string, language: string): string {
  const runs = [...text.matchAll(/^`{3,}/gm)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)));
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** Turns the body of a docs page into Markdown. */
class MarkdownWriter {
  readonly #options: MarkdownOptions;
  #language = '';

  constructor(options: MarkdownOptions) {
    this.#options = options;
  }

  #inline(nodes: readonly HtmlNode[]): string {
    return nodes
      .map((node) => (isElement(node) ? this.#inlineElement(node) : escapeText(node.replace(/\s+/g, ' '))))
      .join('');
  }

  #inlineElement(element: HtmlElement): string {
    const { tag, attributes, children } = element;
    if (isSkipped(element)) return '';
    if (tag === 'br') return ' ';
    if (tag === 'code' || tag === 'kbd') return printCode(readText(element));
    const inner = this.#inline(children);
    if (tag === 'a' && attributes.href !== undefined && inner.trim() !== '')
      return `[${inner.trim()}](${this.#options.toHref(attributes.href)})`;
    if (tag === 'strong' || tag === 'b') return `**${inner.trim()}**`;
    if (tag === 'em' || tag === 'i') return `*${inner.trim()}*`;
    return isBlock(element) ? ` ${inner} ` : inner;
  }

  /** A line of text: what could begin another block is escaped. */
  #line(nodes: readonly HtmlNode[]): string {
    return this.#inline(nodes)
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^(?:[#>+-](?=\s|$)|\d+[.)](?=\s))/, '\\$&');
  }

  #row(cells: readonly HtmlElement[]): string {
    const texts = cells.map((cell) => this.#line([cell]).replaceAll('|', '\\|'));
    return `| ${texts.join(' | ')} |`;
  }

  #table(element: HtmlElement): string {
    const rows = listBelow(element, 'tr').map(({ children }) => children.filter(isElement));
    const [head = [], ...body] = rows;
    return [this.#row(head), `|${' --- |'.repeat(head.length)}`, ...body.map((cells) => this.#row(cells))].join('\n');
  }

  #list({ tag, children }: HtmlElement): string {
    const items = children.filter(isElement).map((item) => this.#blocks(item.children).join('\n\n'));
    return items
      .map((item, index) => {
        const mark = tag === 'ol' ? `${index + 1}. ` : '- ';
        return `${mark}${item.replaceAll('\n', `\n${' '.repeat(mark.length)}`)}`;
      })
      .join('\n');
  }

  #terms(element: HtmlElement): string {
    const terms = listBelow(element, 'dt');
    const values = listBelow(element, 'dd');
    return terms
      .map((term, index) => `- ${this.#line([term])}: ${this.#line(values.slice(index, index + 1))}`)
      .join('\n');
  }

  #details({ attributes, children }: HtmlElement): string[] {
    const before = this.#language;
    this.#language = FENCES.get(attributes['data-language'] ?? '') ?? '';
    const [summary, ...rest] = children.filter((child) => isElement(child) || child.trim() !== '');
    const title = summary === undefined ? '' : this.#line([summary]);
    const blocks = [...(title === '' ? [] : [`**${title}**`]), ...this.#blocks(rest)];
    this.#language = before;
    return blocks;
  }

  #element(element: HtmlElement): string[] {
    const { tag, children } = element;
    if (isSkipped(element)) return [];
    const [, level] = /^h([1-4])$/.exec(tag) ?? [];
    if (level !== undefined) return [`${'#'.repeat(Number(level))} ${this.#line(children)}`];
    if (tag === 'pre') {
      const text = readText(element);
      return [printFence(text, this.#language || (/^\s*[[{]/.test(text) ? 'json' : ''))];
    }
    if (tag === 'table') return [this.#table(element)];
    if (tag === 'ul' || tag === 'ol') return [this.#list(element)];
    if (tag === 'dl') return [this.#terms(element)];
    if (tag === 'details') return this.#details(element);
    return this.#blocks(children);
  }

  #blocks(nodes: readonly HtmlNode[]): string[] {
    const blocks: string[] = [];
    let inline: HtmlNode[] = [];
    const close = (): void => {
      const text = this.#line(inline);
      if (text !== '') blocks.push(text);
      inline = [];
    };
    for (const node of nodes) {
      if (isElement(node) && isBlock(node)) {
        close();
        blocks.push(...this.#element(node));
      } else inline.push(node);
    }
    close();
    return blocks;
  }

  print(root: HtmlElement): string {
    return `${this.#blocks(root.children).join('\n\n')}\n`;
  }
}

function listBelow(element: HtmlElement, tag: string): HtmlElement[] {
  return element.children.filter(isElement).flatMap((child) => (child.tag === tag ? [child] : listBelow(child, tag)));
}

/** The Markdown of a docs page, from the HTML of its template: so it says all that the page says. */
export const toMarkdown = (html: string, options: MarkdownOptions): string =>
  new MarkdownWriter(options).print(parseHtml(html));
