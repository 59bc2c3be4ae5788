import { escapeHtml, toSafeAddress } from './format-text.ts';

/** Characters that are formatted; the rest of a longer text is left out, with an ellipsis. */
const MAX_CHARACTERS = 200_000;

/** Links, pictures, emphasis and code within a line that was escaped. */
function toInline(escaped: string): string {
  // Code first: what is in it is shown as typed. The parts between are formatted one by one.
  return escaped
    .split(/(`[^`\n]+`)/)
    .map((part) => (/^`[^`]+`$/.test(part) ? `<code>${part.slice(1, -1)}</code>` : toMarked(part)))
    .join('')
    .replace(/ {2,}\n|\n/g, '<br>');
}

const toMarked = (part: string): string =>
  part
    .replace(
      /!\[([^[\]\n]*)\]\(([^()\s]+)\)/g,
      (_all, label: string, address: string) => `<img src="${toSafeAddress(address)}" alt="${label}" loading="lazy">`,
    )
    .replace(
      /(?<!!)\[([^[\]\n]*)\]\(([^()\s]+)\)/g,
      (_all, label: string, address: string) => `<a href="${toSafeAddress(address)}" rel="noopener">${label}</a>`,
    )
    .replace(/\*\*([^*\n]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\*([^*\n]+)\*/g, '<em>$1</em>')
    .replace(/~~([^~\n]+)~~/g, '<del>$1</del>');

const LIST = /^\s{0,3}(?:[-*+]|\d{1,9}[.)])\s+/;
const isOrdered = (line: string): boolean => /^\s{0,3}\d/.test(line);
const RULE = /^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;

/** Lines of a list: each mark begins an item, other lines go on with it. */
function toList(lines: readonly string[]): string {
  const items: string[][] = [];
  for (const line of lines) {
    const last = items.at(-1);
    if (LIST.test(line) || !last) items.push([line.replace(LIST, '')]);
    else last.push(line.trim());
  }
  const tag = isOrdered(lines[0] ?? '') ? 'ol' : 'ul';
  return `<${tag}>${items.map((item) => `<li>${toInline(item.join('\n'))}</li>`).join('')}</${tag}>`;
}

type Kind = 'list' | 'quote' | 'text' | 'code';

const WRITERS: Readonly<Record<Kind, (lines: readonly string[]) => string>> = {
  list: toList,
  quote: (lines) =>
    `<blockquote>${toInline(lines.map((line) => line.replace(/^&gt;\s?/, '')).join('\n'))}</blockquote>`,
  text: (lines) => `<p>${toInline(lines.join('\n').trim())}</p>`,
  code: (lines) => `<pre><code>${lines.join('\n')}</code></pre>`,
};

/** Gathers lines to blocks, one line after the other. */
class Blocks {
  readonly html: string[] = [];
  #kind: Kind | undefined;
  #lines: string[] = [];

  /** Ends the block that is open. */
  close(): void {
    if (this.#kind !== undefined) this.html.push(WRITERS[this.#kind](this.#lines));
    this.#kind = undefined;
    this.#lines = [];
  }

  #add(kind: Kind, line: string): void {
    if (this.#kind !== kind) this.close();
    this.#kind = kind;
    this.#lines.push(line);
  }

  add(line: string): void {
    const isFence = line.startsWith('```');
    if (this.#kind === 'code') {
      if (isFence) this.close();
      else this.#lines.push(line);
      return;
    }
    const heading = /^(#{1,6})\s+(\S.*)$/.exec(line);
    if (isFence || heading || RULE.test(line) || line.trim() === '') this.close();
    if (isFence) this.#kind = 'code';
    else if (heading) {
      const level = heading[1]?.length ?? 1;
      this.html.push(`<h${level}>${toInline(heading[2] ?? '')}</h${level}>`);
    } else if (RULE.test(line)) this.html.push('<hr>');
    else if (LIST.test(line)) this.#add('list', line);
    else if (line.startsWith('&gt;')) this.#add('quote', line);
    else if (line.trim() !== '') this.#add(this.#kind === 'list' ? 'list' : 'text', line);
  }
}

/**
 * Markdown as HTML: headings, paragraphs, lists, quotes, rules, blocks of code; emphasis, code, links and pictures
 * within. HTML in it is shown as typed, so the result needs no cleaning.
 */
export function toMarkdown(value: string): string {
  const text = value.length > MAX_CHARACTERS ? `${value.slice(0, MAX_CHARACTERS)}…` : value;
  const blocks = new Blocks();
  for (const line of escapeHtml(text).split(/\r\n|\r|\n/)) blocks.add(line);
  blocks.close();
  return blocks.html.join('\n');
}
