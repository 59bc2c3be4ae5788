import { createRequire } from 'node:module';
import type Markdown from 'markdown-it';
import type { MarkdownIt } from 'markdown-it';
import { escapeHtml, toSafeAddress } from './format-text.ts';

/** Maximum characters to format; a longer text is cut and gets an ellipsis. */
const MAX_CHARACTERS = 200_000;

/** Brackets that may begin a link: each one looks for its end, so many without an end take a second. */
const MAX_BRACKETS = 2000;
/** Signs and lines that may begin something: each costs as much as a hundred letters. A page of 100 kB has a few thousand. */
const MAX_MARKS = 20_000;
/** Quotes and lists within each other: each line is read once at every level. */
const MAX_NESTING = 20;

const BRACKET = 0x5b;
const MARKS = new Set([...'[*_~`>#|<&\\\n+-'].map((sign) => sign.charCodeAt(0)));

/** Whether a text has more marks than pages have, so that it would hold the server for a second at each view. */
function hasManyMarks(text: string): boolean {
  let brackets = 0;
  let marks = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (!MARKS.has(code)) continue;
    marks += 1;
    if (code === BRACKET) brackets += 1;
    if (marks > MAX_MARKS || brackets > MAX_BRACKETS) return true;
  }
  return false;
}

const load: (name: 'markdown-it') => typeof Markdown = createRequire(import.meta.url);
/** Created on first use, because loading takes 30 ms. */
const made: { markdown?: MarkdownIt } = {};

function createMarkdown(): MarkdownIt {
  const Library = load('markdown-it');
  const markdown = new Library({ html: false, breaks: true }).set({ maxNesting: MAX_NESTING });
  markdown.validateLink = (address) => toSafeAddress(address) !== '#';
  const attributes = { link_open: ['rel', 'noopener'], image: ['loading', 'lazy'] } as const;
  for (const [rule, [name, value]] of Object.entries(attributes)) {
    const usual = markdown.renderer.rules[rule];
    markdown.renderer.rules[rule] = (tokens, index, options, env, renderer) => {
      tokens[index]?.attrSet(name, value);
      return usual?.(tokens, index, options, env, renderer) ?? renderer.renderToken(tokens, index, options);
    };
  }
  return markdown;
}

/**
 * Converts Markdown (CommonMark with tables and strikethrough) to HTML. HTML in it is escaped, so the result
 * needs no cleaning. A text with more than 2,000 opening brackets or 20,000 marks is shown as it is written.
 */
export function toMarkdown(value: string): string {
  made.markdown ??= createMarkdown();
  const text = value.length > MAX_CHARACTERS ? `${value.slice(0, MAX_CHARACTERS)}…` : value;
  if (hasManyMarks(text)) return `<p>${escapeHtml(text).replaceAll('\n', '<br>\n')}</p>`;
  return made.markdown.render(text).trimEnd();
}
