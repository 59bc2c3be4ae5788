import { toDidYouMean } from '../../../core/text/suggest.ts';
import { createInputError } from '../tool.ts';
import { listSections } from './section.ts';

const PAGE = 'reference/errors.md';

/** The rows of the tables of codes, by code: the cells by their heads. */
function readTable(): Map<string, Readonly<Record<string, string>>> {
  const rows = new Map<string, Readonly<Record<string, string>>>();
  let heads: readonly string[] = [];
  for (const line of listSections()
    .filter(({ page }) => page === PAGE)
    .flatMap(({ text }) => text.split('\n'))) {
    const cells = line.startsWith('|') ? line.replace(/^\|\s*|\s*\|$/g, '').split(/\s*(?<!\\)\|\s*/) : [];
    const [code] = /^`([A-Z][A-Z0-9_]+)`$/.exec(cells[0] ?? '')?.slice(1) ?? [];
    if (code !== undefined)
      rows.set(
        code,
        Object.fromEntries(cells.map((cell, index) => [heads[index] ?? `${index}`, cell.replaceAll('\\|', '|')])),
      );
    else if (cells.length > 0 && !/^:?-+/.test(cells[0] ?? '')) heads = cells;
  }
  return rows;
}

/** What a code means. @throws MCP_INPUT_INVALID for an unknown code. */
export function findCode(given: string): Readonly<Record<string, string>> {
  const code = given.trim().toUpperCase();
  const rows = readTable();
  const row = rows.get(code);
  if (row === undefined) throw createInputError(`There is no code "${given}".`, toDidYouMean(code, rows.keys()));
  return { ...row, code, docs: `docs/${PAGE}` };
}
