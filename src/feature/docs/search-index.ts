import { translate } from '../../core/text/translate.ts';
import type { Links } from './links.ts';
import { type DocPage, KINDS } from './page/page.ts';

/** Maximum number of words per page in the index. */
const WORDS = 400;

/** The line above a result's title. */
function toPlace({ kind, group, method, note }: DocPage): string {
  const [, label = ''] = KINDS.find(([name]) => name === kind) ?? [];
  return [translate(label), group, method, note].filter((part) => part !== undefined).join(' · ');
}

/**
 * The search index as a script that sets `treadleDocs`. It is not a JSON file, because a page opened from a
 * disk may load a script but not JSON. URLs are those of `links`.
 */
export function buildSearchIndex(pages: readonly DocPage[], links: Links): string {
  const entries = pages.map((page) => ({
    title: page.title,
    href: links.page(page.path),
    place: toPlace(page),
    words: page.words.replace(/\s+/g, ' ').slice(0, WORDS),
  }));
  return `globalThis.treadleDocs = ${JSON.stringify(entries)};\n`;
}
