import { Request } from '../../../../core/request.ts';
import { Response } from '../../../../core/response.ts';
import { translate } from '../../../../core/translate.ts';
import { isRecord } from '../../../../model/json-value.ts';
import type { OpenSchema } from './open.ts';

/** What can be done with many rows at once. */
export type BulkAction = 'remove' | 'restore' | 'update';

/** A row that could not be changed, with the reason. */
export interface BulkFault {
  readonly id: number;
  readonly message: string;
}

/** Result of a bulk change: the number of changed rows, or the faults because of which nothing was changed. */
export interface BulkReport {
  readonly changed: number;
  readonly faults: readonly BulkFault[];
}

/** Maximum rows of one change: the server must answer within half a minute. */
export const MOST_ROWS = 10_000;
/** Faults that are looked for before the change is given up. */
const MOST_FAULTS = 20;
/** Above this many rows the transaction has no time limit. */
const SHORT = 500;

/** Thrown to roll back all. */
class Undone extends Error {}

/** Thrown to roll back one row. */
class BulkFailed extends Error {
  readonly fault: BulkFault;
  constructor(fault: BulkFault) {
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
  { context, pair, schema }: OpenSchema,
  action: BulkAction,
  id: number,
  values: Readonly<Record<string, unknown>>,
): Promise<BulkFault | undefined> {
  const { request } = pair;
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

/**
 * Does one thing with many rows, in one transaction: all or none.
 *
 * @param values Columns to set, for `update`.
 */
export async function changeMany(
  open: OpenSchema,
  action: BulkAction,
  ids: readonly number[],
  values: Readonly<Record<string, unknown>> = {},
): Promise<BulkReport> {
  const { database } = open.context.services;
  const faults: BulkFault[] = [];
  const unit = async (): Promise<void> => {
    for (const id of ids) {
      // A savepoint for each, so that after a fault the next row can still be tried.
      await database
        .transaction(() => changeOrThrow(open, action, id, values))
        .catch((error: unknown) => {
          if (!(error instanceof BulkFailed)) throw error;
          faults.push(error.fault);
        });
      if (faults.length >= MOST_FAULTS) break;
    }
    if (faults.length > 0) throw new Undone();
  };
  try {
    await (ids.length > SHORT && database.restructure ? database.restructure(unit, false) : database.transaction(unit));
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    return { changed: 0, faults };
  }
  return { changed: ids.length, faults };
}

/** The ids that a form sent as `ids[]`. */
export function readIds(sent: unknown): number[] {
  const items = Array.isArray(sent) ? sent : isRecord(sent) ? Object.values(sent) : [sent];
  return [...new Set(items.filter((item) => typeof item === 'string' && /^\d{1,15}$/.test(item)).map(Number))];
}
