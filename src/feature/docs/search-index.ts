import type { Links } from './links.ts';
import { type DocPage, KINDS } from './page.ts';

/** Words of one page that a search looks through, at most. */
const WORDS = 400;

/** What a reader sees above a result's title. */
function toPlace({ kind, group, method, note }: DocPage): string {
  const [, label = ''] = KINDS.find(([name]) => name === kind) ?? [];
  return [label, group, method, note].filter((part) => part !== undefined).join(' · ');
}

/**
 * The index of the docs as a script that sets `treadleDocs`: a script, not a JSON file, since a page that was opened from a
 * disk may load the one and not the other. Addresses are those of `links`.
 */
export function toSearchIndex(pages: readonly DocPage[], links: Links): string {
  const entries = pages.map((page) => ({
    title: page.title,
    href: links.page(page.path),
    place: toPlace(page),
    words: page.words.replace(/\s+/g, ' ').slice(0, WORDS),
  }));
  return `globalThis.treadleDocs = ${JSON.stringify(entries)};\n`;
}
