import { createRequire } from 'node:module';
import type sanitize from 'sanitize-html';

/** Loaded when rich text is first saved: it costs some 60 ms, which a process that only reads saves. */
const load = createRequire(import.meta.url);

const SAFE_TARGETS: ReadonlySet<string> = new Set(['_blank', '_self']);
/** Hosts whose players may be shown in a frame. */
const FRAME_HOSTS = ['www.youtube.com', 'www.youtube-nocookie.com', 'player.vimeo.com'];

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
  allowedIframeHostnames: FRAME_HOSTS,
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
  },
  disallowedTagsMode: 'discard',
};

/**
 * Cleans HTML by an allow-list: no scripts, handlers, styles, forms or `javascript:` addresses; links get
 * `rel="noopener"`; frames of known video players only.
 *
 * @param tags Tags that may stay, of those that are safe. Default: all of them.
 */
export function sanitizeHtml(html: string, tags?: readonly string[]): string {
  // Text without a tag, an entity or a closing bracket has nothing to clean.
  if (!/[<>&]/.test(html)) return html;
  const clean = load('sanitize-html') as typeof sanitize;
  const safe = OPTIONS.allowedTags as readonly string[];
  return clean(html, tags ? { ...OPTIONS, allowedTags: safe.filter((tag) => tags.includes(tag)) } : OPTIONS);
}
