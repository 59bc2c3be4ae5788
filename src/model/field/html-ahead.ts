import type { Request } from '../../core/request/request.ts';
import { isRecord } from '../json/json-value.ts';
import type { ColumnModel } from '../model.ts';
import type { HtmlCleaner } from './field-kind-row.ts';
import { LONG_HTML } from './field-kind-text.ts';

const ahead = new WeakMap<Request, HtmlCleaner>();

/**
 * The HTML cleaned beforehand for a request, as a cleaner that also cleans other texts; undefined if there is
 * none.
 */
export const findCleaned = (request: Request): HtmlCleaner | undefined => ahead.get(request);

/** Shares the cleaned HTML with another request, such as an operation of a batch. */
export function shareCleaned(from: Request, to: Request): void {
  const cleaner = ahead.get(from);
  if (cleaner) ahead.set(to, cleaner);
}

const RICH: ReadonlySet<string> = new Set(['wysiwyg', 'wysiwyglist']);

/** True if a column holds HTML. */
export const isRich = ({ field }: ColumnModel): boolean => RICH.has(field.type);

/** The texts of a row that are long enough to be cleaned beforehand. */
function listHtml(columns: readonly ColumnModel[], values: Readonly<Record<string, unknown>>): string[] {
  return columns.filter(isRich).flatMap(({ name }) => {
    if (!Object.hasOwn(values, name)) return [];
    const texts = [values[name]].flat().filter((text) => typeof text === 'string');
    return texts.filter((text) => text.length > LONG_HTML);
  });
}

/**
 * Cleans the long HTML of a request's rows before a transaction starts, since all other writes wait for an
 * open transaction. A refused text is refused later, when its row is written. Does nothing if already done.
 */
export async function cleanAhead(
  request: Request,
  columns: readonly ColumnModel[],
  rows: readonly unknown[],
  cleaner: HtmlCleaner | undefined,
): Promise<void> {
  if (!cleaner || ahead.has(request)) return;
  const texts = new Set(rows.filter(isRecord).flatMap((row) => listHtml(columns, row)));
  if (texts.size === 0) return;
  const cleaned = new Map([...texts].map((text) => [text, cleaner.clean(text)] as const));
  await Promise.allSettled(cleaned.values());
  ahead.set(request, { clean: (html) => cleaned.get(html) ?? cleaner.clean(html) });
}
