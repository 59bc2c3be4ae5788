import { createRequire } from 'node:module';
import type sanitize from 'sanitize-html';
import { findOwn } from '../../core/record.ts';
import { ValueRefused } from './field-kind-row.ts';

/** Loaded when rich text is first saved: loading takes some 60 ms, which a read-only process avoids. */
const load: (name: 'sanitize-html') => typeof sanitize = createRequire(import.meta.url);

const SAFE_TARGETS: ReadonlySet<string> = new Set(['_blank', '_self']);
/**
 * Hosts of video players that may be framed. http/respond/header.ts uses the same list for the pages' `frame-src`.
 */
export const FRAME_HOSTS: readonly string[] = ['www.youtube.com', 'www.youtube-nocookie.com', 'player.vimeo.com'];
/** Maximum open tags. A closing tag is searched among them, so thousands would take quadratic time. */
export const MOST_LEVELS = 256;

/** What a link may say about its target. `opener` is not among them. @see https://html.spec.whatwg.org/#linkTypes */
const RELATIONS: ReadonlySet<string> = new Set([
  ...['alternate', 'author', 'bookmark', 'external', 'help', 'license', 'me', 'next', 'nofollow', 'noreferrer', 'prev'],
  ...['privacy-policy', 'search', 'sponsored', 'tag', 'terms-of-service', 'ugc'],
]);

/** The known words of `rel`, and `noopener`: the opened page must not control the page that it came from. */
function toRel(rel = ''): string {
  const words = rel.toLowerCase().split(/[ \t\n\r\f]+/);
  return [...new Set([...words.filter((word) => RELATIONS.has(word)), 'noopener'])].join(' ');
}

const PLAYER = ['src', 'controls', 'preload', 'loop', 'muted', 'autoplay'] as const;

function keepSrcset(tagName: string, attribs: sanitize.Attributes): sanitize.Tag {
  const { srcset, ...kept } = attribs;
  return { tagName, attribs: srcset === undefined || isSrcset(srcset) ? attribs : kept };
}

const OPTIONS = {
  allowedTags: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'span', 'section', 'article', 'header', 'footer', 'aside'],
    ...['blockquote', 'pre', 'code', 'kbd', 'samp', 'var', 'hr', 'br', 'wbr', 'address', 'figure', 'figcaption'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr'],
    ...['th', 'td', 'a', 'abbr', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'small', 'sub', 'sup', 'mark', 'q'],
    ...[
      'cite',
      'time',
      'tt',
      'big',
      'strike',
      'center',
      'img',
      'iframe',
      'details',
      'summary',
      'main',
      'nav',
      'hgroup',
    ],
    ...['video', 'audio', 'picture', 'source', 'track', 'ruby', 'rb', 'rt', 'rp', 'rtc', 'bdi', 'bdo', 'dfn', 'data'],
  ],
  allowedAttributes: {
    // No `id` or `class` on all tags: text could imitate parts of the surrounding page.
    '*': ['title', 'lang', 'dir', 'align'],
    ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, ['id']])),
    ...Object.fromEntries(['pre', 'code', 'span'].map((tag) => [tag, ['class']])),
    a: ['href', 'name', 'target', 'rel'],
    img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
    video: [...PLAYER, 'poster', 'width', 'height', 'playsinline'],
    audio: [...PLAYER],
    source: ['src', 'srcset', 'sizes', 'type', 'media', 'width', 'height'],
    track: ['src', 'kind', 'srclang', 'label', 'default'],
    iframe: ['src', 'width', 'height', 'allowfullscreen'],
    td: ['colspan', 'rowspan', 'headers', 'valign'],
    th: ['colspan', 'rowspan', 'headers', 'scope', 'valign'],
    col: ['span', 'width'],
    ol: ['start', 'type', 'reversed'],
    li: ['value'],
    time: ['datetime'],
    del: ['cite', 'datetime'],
    ins: ['cite', 'datetime'],
    q: ['cite'],
    blockquote: ['cite'],
    data: ['value'],
    details: ['open'],
  },
  selfClosing: ['img', 'br', 'hr', 'wbr', 'col', 'source', 'track'],
  allowedSchemes: ['http', 'https', 'mailto', 'tel', 'ftp'],
  allowedSchemesByTag: { img: ['http', 'https', 'data'] },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster'],
  allowedIframeHostnames: [...FRAME_HOSTS],
  allowIframeRelativeUrls: false,
  exclusiveFilter: (frame) =>
    // Removes frames without an allowed source, and data URIs that are not bitmaps: an SVG runs no script in
    // `img`, but does when opened.
    (frame.tag === 'iframe' && !frame.attribs.src) ||
    (frame.tag === 'img' && /^\s*data:(?!image\/(?:png|jpe?g|gif|webp|avif);)/i.test(frame.attribs.src ?? '')),
  transformTags: {
    a: (tagName, attribs) => {
      const { target, rel, ...kept } = attribs;
      if (target !== undefined && SAFE_TARGETS.has(target)) kept.target = target;
      return { tagName, attribs: kept.href === undefined ? kept : { ...kept, rel: toRel(rel) } };
    },
    img: keepSrcset,
    source: keepSrcset,
  },
  disallowedTagsMode: 'discard',
} satisfies sanitize.IOptions;

/** Longer runs of commas make the library search in quadratic time. */
const MANY_COMMAS = /,{17}/;
const CANDIDATE =
  /[ \t\n\r\f,]*([^ \t\n\r\f,][^ \t\n\r\f]*?)(?:,+(?=[ \t\n\r\f]|$)|[ \t\n\r\f]+((?!0+w)\d{1,6}w(?:[ \t\n\r\f]+(?!0+h)\d{1,6}h)?|\d{1,6}(?:\.\d{1,6})?x|\.\d{1,6}x)[ \t\n\r\f]*(?:,|$)|[ \t\n\r\f]*$)/y;

/**
 * True if every candidate of a `srcset` is well-formed. For others the library would print to standard
 * output.
 */
function isSrcset(text: string): boolean {
  if (MANY_COMMAS.test(text)) return false;
  let end = text.length;
  while (end > 0 && ' \t\n\r\f,'.includes(text.charAt(end - 1))) end -= 1;
  CANDIDATE.lastIndex = 0;
  while (CANDIDATE.lastIndex < end) if (!CANDIDATE.test(text)) return false;
  return true;
}

const TAG_NAME = /<\/?([a-z][a-z0-9]*)/gi;
const ALL_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = OPTIONS.allowedAttributes;

/**
 * The allowed attributes of the tags in a text, and those of all tags. The library prepares each tag's list for each text:
 * that takes longer than a short text itself.
 */
function pickAttributes(html: string): Record<string, string[]> {
  const names = new Set(['*']);
  for (const [, name = ''] of html.matchAll(TAG_NAME)) names.add(name.toLowerCase());
  const picked: Record<string, string[]> = {};
  for (const name of names) {
    const list = findOwn(ALL_ATTRIBUTES, name);
    if (list !== undefined) picked[name] = [...list];
  }
  return picked;
}

/** The options for one text, with a counter of its open tags. */
function toOptions(html: string, tags: readonly string[] | undefined): sanitize.IOptions {
  const state = { levels: 0 };
  const safe = OPTIONS.allowedTags;
  return {
    ...OPTIONS,
    ...(tags ? { allowedTags: safe.filter((tag) => tags.includes(tag)) } : {}),
    allowedAttributes: pickAttributes(html),
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
 * Cleans HTML with an allow-list: no scripts, handlers, styles, forms or `javascript:` addresses. Links get
 * `rel="noopener"`; only frames of known video players stay.
 *
 * @param tags Allowed tags, limited to the safe ones. Default: all safe tags.
 * @throws {@link ValueRefused} if more than {@link MOST_LEVELS} tags are open at once.
 */
export function sanitizeHtml(html: string, tags?: readonly string[]): string {
  // Text without tag, entity and closing bracket needs no cleaning.
  if (!/[<>&]/.test(html)) return html;
  const clean = load('sanitize-html');
  return clean(html, toOptions(html, tags));
}
