import type { Request } from '../../core/request/request.ts';
import type { Refusal } from '../../core/request/response.ts';
import type { Row } from '../../database/row-statement.ts';
import type { SchemaModel } from '../../model/model.ts';
import { RowFailure } from '../../plan/emit/row-feed.ts';
import type { Context, EventExchange } from '../../plan/feature.ts';
import type { Reach } from '../../store/read/source/view.ts';
import { findReturning, type ReturningClause } from '../../store/read/sql/returning.ts';
import type { RowTools } from './draft.ts';
import { answerVisible, isWholeVisible } from './visible-row.ts';

/** What an event writes. */
export interface WriteSteps {
  /**
   * Writes by one statement that commits by itself; gives the results. Undefined if another write came in between. Absent where
   * anybody takes part in the write. @see findReturningAlone
   */
  readonly alone?: (() => Promise<Row | undefined> | undefined) | undefined;
  /** Writes in the open transaction, and records the change. @returns The results; `isChanged` is false if all was so before. */
  readonly inside: () => Promise<{ readonly results: Row; readonly isChanged?: boolean }>;
  /** The results as the person may see them; undefined if they may see all. Default: they may. */
  readonly show?: (results: Row) => Row | undefined | Promise<Row | undefined>;
  /** The failure for an error that the client caused; undefined for other errors. Default: {@link RowFailure} alone. */
  readonly explain?: (error: unknown) => Promise<Refusal | undefined>;
  /** True if it may run the project's listeners of other events. Default false. */
  readonly runsOthers?: boolean;
}

/** Performs what an event writes, with all that hears of it in the same commit, and answers. */
export async function write(
  context: Context,
  exchange: EventExchange,
  { alone, inside, show, explain, runsOthers }: WriteSteps,
) {
  const { event, request, response } = exchange;
  const unit = async (): Promise<void> => {
    const { results, isChanged = true } = await inside();
    response.succeed(results);
    if (!isChanged) return;
    const changes = await context.committing(event, request, response);
    answerVisible(response, await show?.(results), changes);
  };
  try {
    const written = alone && (await alone());
    if (written === undefined) await context.write(exchange, unit, runsOthers);
    else response.succeed(written);
  } catch (error) {
    response.removeResults();
    const failure = error instanceof RowFailure ? error.failure : await explain?.(error);
    if (failure === undefined) throw error;
    response.refuse(failure);
  }
}

/** The event of a row, and what its person may reach. */
interface WriteContext {
  readonly event: string;
  readonly request: Request;
  readonly schema: SchemaModel;
  readonly reach: Reach;
  /** Undefined if no value of the client is written. */
  readonly tools?: RowTools;
}

/**
 * What one statement returns that writes a row alone. Undefined if the write takes more: a transaction is open, a listener hears of
 * it, a rule judges the row after it or hides a part of it, or an uploaded file must go with it when it fails.
 */
export function findReturningAlone(
  { plan, services: { database }, hasListener }: Context,
  { event, request, schema, reach, tools }: WriteContext,
): ReturningClause | undefined {
  if (database.isInTransaction || tools?.files.isEmpty === false) return undefined;
  if ((reach.after ?? reach.rows)?.anyOf !== undefined || !isWholeVisible(schema, reach)) return undefined;
  return hasListener(event, request) ? undefined : findReturning(plan.model, schema.name, database);
}
