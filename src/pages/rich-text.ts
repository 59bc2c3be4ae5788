import { translate } from '../core/text/translate.ts';
import { escapeHtml, toPlain, toSafeAddress } from '../model/format/format-text.ts';

/** Markup that Handlebars does not escape: it asks for a method of this name, not for a class of its own. */
export class SafeText {
  readonly #html: string;
  constructor(html: string) {
    this.#html = html;
  }
  toHTML(): string {
    return this.#html;
  }
}

/** An element of a rich text; its text is escaped already. */
const ELEMENT = /&lt;(\w+)&gt;(.*?)&lt;\/\1&gt;/g;
const STYLES: ReadonlySet<string> = new Set(['strong', 'em', 'bdi']);
/** Stands for `<` of a value until the elements are made: a value makes none. */
const OPENING = '\u{f8ff}';

const toPlainValue = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('<', OPENING) : value);

/**
 * A translated sentence with elements in it: `{{rich "Read <docs>the docs</docs>." docs="/docs"}}`. `<code>`, `<strong>`,
 * `<em>` and `<bdi>` are themselves, `<time>` has the stored time of that name; any other name is a link to the value of
 * that name. Elements may nest. Everything else is escaped.
 */
export function renderRich(source: string, values: Readonly<Record<string, unknown>>): SafeText {
  const toElement = (whole: string, name: string, text: string): string => {
    const inner = text.replace(ELEMENT, toElement);
    if (name === 'code') return `<code class="t-code">${inner}</code>`;
    if (STYLES.has(name)) return `<${name}>${inner}</${name}>`;
    if (!Object.hasOwn(values, name)) return whole;
    const value = toPlain(values[name]);
    if (name.startsWith('time')) return `<time datetime="${escapeHtml(value)}Z">${inner}</time>`;
    return `<a href="${escapeHtml(toSafeAddress(value))}">${inner}</a>`;
  };
  const safe = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toPlainValue(value)]));
  const html = escapeHtml(translate(source, safe)).replace(ELEMENT, toElement);
  return new SafeText(html.replaceAll(OPENING, '&lt;'));
}
