import type { Messages } from '../../../core/request/response.ts';
import { translate } from '../../../core/text/translate.ts';
import type { FedRow } from '../../../plan/emit/row-feed.ts';
import { type ImportTask, runImport } from './run.ts';

/** A row that is not valid, for people. */
interface BadRow {
  readonly line: number;
  readonly messages: readonly { readonly column: string; readonly message: string }[];
  /** The row as read, cut. */
  readonly row: string;
}

/** What an import did, or would do. */
export interface ImportReport {
  readonly isTrial: boolean;
  /** True if nothing was, or would be, imported. */
  readonly isStopped: boolean;
  readonly summary: string;
  readonly bad: readonly BadRow[];
  readonly badCount: number;
  /** Number of rows that are not valid, besides those in `bad`. */
  readonly more: number;
  readonly late: string;
}

/** Bad rows on the page; the rest can be fetched as a file. */
const MOST_SHOWN = 100;
const ROW_CHARACTERS = 200;

/** Messages by column, those of groups of fields with their places. */
function listMessages(messages: Readonly<Messages>, path: readonly string[] = []): BadRow['messages'] {
  return Object.entries(messages).flatMap(([key, message]) =>
    typeof message === 'string'
      ? [{ column: [...path, key].join('.'), message }]
      : listMessages(message, [...path, key]),
  );
}

function toBadRow({ line, values }: FedRow, messages: Readonly<Messages>): BadRow {
  const text = values === undefined ? '' : JSON.stringify(values);
  const row = text.length > ROW_CHARACTERS ? `${text.slice(0, ROW_CHARACTERS)}…` : text;
  return { line, messages: listMessages(messages), row };
}

function toSummary(task: { readonly isTrial: boolean }, created: number, changed: number, badCount: number): string {
  const values = { created, changed, bad: badCount };
  if (task.isTrial) {
    return badCount === 0
      ? translate('Every row is valid: {created} would be new, {changed} would be changed.', values)
      : translate(
          '{bad, plural, one {# row is} other {# rows are}} not valid. Of the others {created} would be new, {changed} would be changed.',
          values,
        );
  }
  return badCount === 0
    ? translate('Imported: {created} new, {changed} changed.', values)
    : translate('Imported: {created} new, {changed} changed. Left out because they are not valid: {bad}.', values);
}

function toCleaned(count: number): string[] {
  if (count === 0) return [];
  const text = translate(
    '{count, plural, one {# formatted text loses} other {# formatted texts lose}} tags or attributes that may not be stored.',
    { count },
  );
  return [text];
}

/** Runs an import and reports what it did with every row. */
export async function makeReport(task: Omit<ImportTask, 'tellBad'>): Promise<ImportReport> {
  const bad: BadRow[] = [];
  const count = { bad: 0 };
  const tellBad = (row: FedRow, messages: Readonly<Messages>): void => {
    count.bad += 1;
    if (bad.length < MOST_SHOWN) bad.push(toBadRow(row, messages));
  };
  // A trial tells what the good rows would do even if bad ones stop the import.
  const result = await runImport({ ...task, skipsBad: task.skipsBad || task.isTrial, tellBad });
  const { created, changed, cleaned, fault, late } = result;
  const isStopped = fault !== undefined || (count.bad > 0 && !task.skipsBad);
  const stopped = isStopped && !task.isTrial;
  const reason =
    count.bad > 0
      ? translate('Nothing was imported: {bad, plural, one {# row is} other {# rows are}} not valid.', {
          bad: count.bad,
        })
      : fault;
  return {
    isTrial: task.isTrial,
    isStopped,
    summary:
      (stopped || (fault !== undefined && count.bad === 0) ? reason : undefined) ??
      [toSummary(task, created, changed, count.bad), ...toCleaned(cleaned)].join(' '),
    bad: bad.sort((a, b) => a.line - b.line),
    badCount: count.bad,
    more: count.bad - bad.length,
    late: late.join(', '),
  };
}
