import { createRequire } from 'node:module';
import type sanitize from 'sanitize-html';
import { ValueRefused } from './field-kind-row.ts';

/** Loaded when rich text is first saved: it costs some 60 ms, which a process that only reads saves. */
const load = createRequire(import.meta.url);

const SAFE_TARGETS: ReadonlySet<string> = new Set(['_blank', '_self']);
/** Hosts whose players may be shown in a frame: the one list, of which runtime/header.ts makes the pages' `frame-src`. */
export const FRAME_HOSTS: readonly string[] = ['www.youtube.com', 'www.youtube-nocookie.com', 'player.vimeo.com'];
/** Tags that may be open at once. A tag that closes is looked for among them, so thousands would make the work quadratic. */
export const MOST_LEVELS = 256;

const OPTIONS: sanitize.IOptions = {
  allowedTags: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'span', 'section', 'article', 'header', 'footer', 'aside'],
    ...['blockquote', 'pre', 'code', 'kbd', 'samp', 'var', 'hr', 'br', 'wbr', 'address', 'figure', 'figcaption'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr'],
    ...['th', 'td', 'a', 'abbr', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'small', 'sub', 'sup', 'mark', 'q'],
    ...['cite', 'time', 'tt', 'big', 'strike', 'center', 'img', 'iframe', 'details', 'summary'],
  ],
  allowedAttributes: {
    // No `id` or `class` everywhere: they could pose as parts of the page around the text.
    '*': ['title', 'lang', 'dir', 'align'],
    ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, ['id']])),
    ...Object.fromEntries(['pre', 'code', 'span'].map((tag) => [tag, ['class']])),
    a: ['href', 'name', 'target', 'rel'],
    img: ['src', 'srcset', 'alt', 'width', 'height', 'loading'],
    iframe: ['src', 'width', 'height', 'allowfullscreen'],
    td: ['colspan', 'rowspan', 'headers', 'valign'],
    th: ['colspan', 'rowspan', 'headers', 'scope', 'valign'],
    col: ['span', 'width'],
    ol: ['start', 'type', 'reversed'],
    li: ['value'],
    time: ['datetime'],
    details: ['open'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel', 'ftp'],
  allowedSchemesByTag: { img: ['http', 'https', 'data'] },
  allowedIframeHostnames: [...FRAME_HOSTS],
  allowIframeRelativeUrls: false,
  exclusiveFilter: (frame) =>
    // A frame whose source was refused; data that is not a picture (an SVG in `img` runs nothing, but opened it does).
    (frame.tag === 'iframe' && !frame.attribs.src) ||
    (frame.tag === 'img' && /^\s*data:(?!image\/(?:png|jpe?g|gif|webp|avif);)/i.test(frame.attribs.src ?? '')),
  transformTags: {
    a: (tagName, attribs) => {
      const { target, rel: _rel, ...kept } = attribs;
      if (target !== undefined && SAFE_TARGETS.has(target)) kept.target = target;
      // `noopener`: the page that a link opens must not steer the one that it came from.
      return { tagName, attribs: kept.href === undefined ? kept : { ...kept, rel: 'noopener' } };
    },
    img: (tagName, attribs) => {
      const { srcset, ...kept } = attribs;
      return { tagName, attribs: srcset === undefined || isSrcset(srcset) ? attribs : kept };
    },
  },
  disallowedTagsMode: 'discard',
};

/** Commas in one row, from which on the library's search for the last of them takes the square of their number. */
const MANY_COMMAS = /,{17}/;
const CANDIDATE =
  /[ \t\n\r\f,]*([^ \t\n\r\f,][^ \t\n\r\f]*?)(?:,+(?=[ \t\n\r\f]|$)|[ \t\n\r\f]+((?!0+w)\d{1,6}w(?:[ \t\n\r\f]+(?!0+h)\d{1,6}h)?|\d{1,6}(?:\.\d{1,6})?x|\.\d{1,6}x)[ \t\n\r\f]*(?:,|$)|[ \t\n\r\f]*$)/y;

/** Whether every picture of a `srcset` is well formed: of one that is not the library writes a line to standard output. */
function isSrcset(text: string): boolean {
  if (MANY_COMMAS.test(text)) return false;
  let end = text.length;
  while (end > 0 && ' \t\n\r\f,'.includes(text.charAt(end - 1))) end -= 1;
  CANDIDATE.lastIndex = 0;
  while (CANDIDATE.lastIndex < end) if (!CANDIDATE.test(text)) return false;
  return true;
}

/** The options of one text: they count its open tags. */
function toOptions(tags: readonly string[] | undefined): sanitize.IOptions {
  const state = { levels: 0 };
  const safe = OPTIONS.allowedTags as readonly string[];
  return {
    ...OPTIONS,
    ...(tags ? { allowedTags: safe.filter((tag) => tags.includes(tag)) } : {}),
    onOpenTag: () => {
      state.levels += 1;
      if (state.levels > MOST_LEVELS) throw new ValueRefused(`must not nest tags more than ${MOST_LEVELS} levels deep`);
    },
    onCloseTag: () => {
      state.levels -= 1;
    },
  };
}

/**
 * Cleans HTML by an allow-list: no scripts, handlers, styles, forms or `javascript:` addresses; links get
 * `rel="noopener"`; frames of known video players only.
 *
 * @param tags Tags that may stay, of those that are safe. Default: all of them.
 * @throws {@link ValueRefused} where more than {@link MOST_LEVELS} tags are open at once.
 */
export function sanitizeHtml(html: string, tags?: readonly string[]): string {
  // Text without a tag, an entity or a closing bracket has nothing to clean.
  if (!/[<>&]/.test(html)) return html;
  const clean = load('sanitize-html') as typeof sanitize;
  return clean(html, toOptions(tags));
}
