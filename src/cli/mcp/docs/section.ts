import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../core/file/package-root.ts';
import { once } from '../../../core/memoize.ts';

/** A part of a page under one heading. */
export interface Section {
  /** Such as `guide/roles.md`. */
  readonly page: string;
  /** Title of the page. */
  readonly title: string;
  /** Heading of the section; for the beginning of a page, its title. */
  readonly heading: string;
  /** The heading as the fragment of an address; empty for the beginning. */
  readonly anchor: string;
  readonly text: string;
}

/** The fragment of a heading, as web sites that show Markdown make it. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');

/** Splits a page at its headings; a line of a code block is none. */
function splitPage(page: string, text: string): Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let isCode = false;
  for (const line of text.replace(/<!--[\s\S]*?-->/g, '').split('\n')) {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    const [, heading] = isCode ? [] : (/^#{1,4} +(.+?) *#*$/.exec(line) ?? []);
    if (heading === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ heading: heading.replaceAll('`', ''), lines: [] });
  }
  const title = sections[1]?.heading ?? page;
  return sections.slice(1).map(({ heading, lines }, index) => ({
    page,
    title,
    heading,
    anchor: index === 0 ? '' : toAnchor(heading),
    text: lines.join('\n').trim(),
  }));
}

function readAll(): readonly Section[] {
  return ['guide', 'reference'].flatMap((folder) => {
    const files = readdirSync(join(packageRoot, 'docs', folder)).filter((file) => file.endsWith('.md'));
    return files
      .sort()
      .flatMap((file) => splitPage(`${folder}/${file}`, readFileSync(join(packageRoot, 'docs', folder, file), 'utf8')));
  });
}

/** Every section of the guides and the reference of the installed version. */
export const listSections: () => readonly Section[] = once(readAll);
