import type { Request } from '../core/request.ts';
import type { HtmlCleaner } from './field-kind-row.ts';
import { LONG_HTML } from './field-kind-text.ts';
import { isRecord } from './json-value.ts';
import type { ColumnModel } from './model.ts';

const ahead = new WeakMap<Request, HtmlCleaner>();

/** What gives the texts that were cleaned ahead for a request, and cleans others; undefined where nothing was. */
export const findCleaned = (request: Request): HtmlCleaner | undefined => ahead.get(request);

/** Lets another request, such as an operation of a batch, use what was cleaned for the first one. */
export function shareCleaned(from: Request, to: Request): void {
  const cleaner = ahead.get(from);
  if (cleaner) ahead.set(to, cleaner);
}

const RICH: ReadonlySet<string> = new Set(['wysiwyg', 'wysiwyglist']);

/** Whether a column holds HTML. */
export const isRich = ({ field }: ColumnModel): boolean => RICH.has(field.type);

/** The long texts among a row's values that a transaction would wait for. */
function listHtml(columns: readonly ColumnModel[], values: Readonly<Record<string, unknown>>): string[] {
  return columns.filter(isRich).flatMap(({ name }) => {
    if (!Object.hasOwn(values, name)) return [];
    return [values[name]].flat().filter((text) => typeof text === 'string' && text.length > LONG_HTML) as string[];
  });
}

/**
 * Cleans the long HTML of a request's rows before a transaction is opened: while it is open every other write waits. A text
 * that is refused is refused when its row is written. Does nothing where that was done already.
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
