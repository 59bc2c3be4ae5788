import { setImmediate as turn } from 'node:timers/promises';
import { TreadleError } from '../../../core/errors.ts';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import type { OpenSchema } from './open.ts';

/** What can be done with many rows at once. */
export type BulkAction = 'remove' | 'restore' | 'update';

/** A row that could not be changed, with the reason. */
export interface BulkError {
  readonly id: number;
  readonly message: string;
}

/** Result of a bulk change: the number of changed rows, and the errors because of which the others were not changed. */
export interface BulkReport {
  readonly changed: number;
  readonly faults: readonly BulkError[];
}

/** Maximum rows of one change: the server must answer within half a minute. */
export const MOST_ROWS = 10_000;
/** Errors that are looked for before the change is given up. */
const MOST_ERRORS = 20;
/** Rows and milliseconds of one transaction: other writers get in between two. */
const SLICE_ROWS = 250;
const SLICE_MILLISECONDS = 100;

/** Thrown to roll back a slice. */
class RollbackError extends Error {}

/** Thrown to roll back one row. */
class BulkFailed extends Error {
  readonly fault: BulkError;
  constructor(fault: BulkError) {
    super(fault.message);
    this.fault = fault;
  }
}

function toMessage(response: Response): string {
  const found = Object.values(response.getValidation() as Readonly<Record<string, unknown>>);
  const texts = found.filter((text): text is string => typeof text === 'string');
  return texts.length > 0 ? texts.join(' ') : (response.getMessage() ?? translate('It failed.'));
}

/** Runs an action on one row as its own event, so that rules, listeners and hooks apply as to a single one. */
async function changeOne(
  { context, exchange, schema }: OpenSchema,
  action: BulkAction,
  id: number,
  values: Readonly<Record<string, unknown>>,
): Promise<BulkError | undefined> {
  const { request } = exchange;
  const inner = new Request({
    path: request.getPath('string'),
    server: () => request.getServer() as Record<string, unknown>,
  });
  inner.bringStage({ ...values });
  inner.setStage({ schema: schema.name, [schema.primary]: id });
  const response = new Response(inner);
  await context.emit(`system-model-${action}`, inner, response);
  return response.isError() ? { id, message: toMessage(response) } : undefined;
}

async function changeOrThrow(...given: Parameters<typeof changeOne>): Promise<void> {
  const fault = await changeOne(...given);
  if (fault) throw new BulkFailed(fault);
}

/** Changes rows from an index on, in one transaction: all of them or none. Gives the index of the next slice. */
async function changeSlice(
  { open, action, ids, values }: Bulk,
  first: number,
): Promise<{ readonly next: number; readonly faults: readonly BulkError[] }> {
  const { database, clock } = open.context.services;
  const errors: BulkError[] = [];
  const state = { next: first };
  const unit = async (): Promise<void> => {
    const endAt = clock.now() + SLICE_MILLISECONDS;
    const end = Math.min(ids.length, first + SLICE_ROWS);
    // With an error the rest of the slice is tried, too, so that the page names more than one.
    for (state.next = first; state.next < end; state.next += 1) {
      if (state.next > first && errors.length === 0 && clock.now() >= endAt) break;
      // A savepoint for each, so that after an error the next row can still be tried.
      await database
        .transaction(() => changeOrThrow(open, action, ids[state.next] as number, values))
        .catch((error: unknown) => {
          if (!(error instanceof BulkFailed)) throw error;
          errors.push(error.fault);
        });
      if (errors.length >= MOST_ERRORS) break;
    }
    if (errors.length > 0) throw new RollbackError();
  };
  try {
    await database.transaction(unit);
  } catch (error) {
    if (!(error instanceof RollbackError)) throw error;
  }
  return { next: state.next, faults: errors };
}

interface Bulk {
  readonly open: OpenSchema;
  readonly action: BulkAction;
  readonly ids: readonly number[];
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Does one thing with many rows, in transactions of at most 250 rows, between which others write. The first one with an error
 * is rolled back and ends the change; what was done before it stays.
 *
 * @param values Columns to set, for `update`.
 */
export async function changeMany(
  open: OpenSchema,
  action: BulkAction,
  ids: readonly number[],
  values: Readonly<Record<string, unknown>> = {},
): Promise<BulkReport> {
  for (let first = 0; first < ids.length; ) {
    const slice = await changeSlice({ open, action, ids, values }, first).catch((error: unknown) => {
      // The page must say what is done already.
      if (first === 0 || !(error instanceof TreadleError)) throw error;
      return { next: first, faults: [{ id: ids[first] as number, message: toLocalText(error.message) }] };
    });
    const { next, faults } = slice;
    if (faults.length > 0) return { changed: first, faults };
    first = next;
    await turn();
  }
  return { changed: ids.length, faults: [] };
}

/** The ids that a form sent as `ids[]`. */
export function readIds(sent: unknown): number[] {
  const items = Array.isArray(sent) ? sent : isRecord(sent) ? Object.values(sent) : [sent];
  return [...new Set(items.filter((item) => typeof item === 'string' && /^\d{1,15}$/.test(item)).map(Number))];
}
