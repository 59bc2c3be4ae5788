import type { Listener } from '../../../core/bus.ts';
import { toStamp } from '../../../core/clock.ts';
import type { Row } from '../../../database/database.ts';
import type { SchemaModel } from '../../../model/model.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { getSearcher, type HeldRows } from '../../../query/searcher.ts';
import { RowFailure } from '../draft.ts';
import { type Failure, fail, findConstraint, notFound, succeed } from '../errors.ts';
import { describeHolders } from '../holders.ts';
import { answerShown, readShown, toShownChange } from '../shown-row.ts';
import { deleteRow, updateRow } from '../sql.ts';
import { findSchema, needKey, needReach, type Stage } from '../stage.ts';
import { keyStage, ROW } from '../stage-words.ts';

/**
 * Removes softly where the schema has an `active` field. Gives the row as it is now, or as it was last.
 *
 * @throws RowFailure where the row is not there any more.
 */
async function removeRow(
  context: Context,
  schema: SchemaModel,
  { row, held }: { readonly row: Row; readonly held: HeldRows | undefined },
): Promise<Row> {
  const { database, clock } = context.services;
  const id = Number(row[schema.primary]);
  if (schema.active === undefined) {
    if (!(await deleteRow(database, schema, id, held))) throw new RowFailure(notFound);
    return row;
  }
  const stamp = schema.updated === undefined ? {} : { [schema.updated]: toStamp(clock.now()) };
  const change = { [schema.active]: 0, ...stamp };
  if (!(await updateRow(database, schema, id, { row: change, held }))) throw new RowFailure(notFound);
  return { ...row, ...change };
}

/** Why a row cannot go: who still leads to it. */
function toHeld({ singular, primary }: SchemaModel, row: Row, holders: string | undefined): Failure {
  const who =
    holders === undefined ? 'other rows still lead to it, or to what would go with it' : `${holders} still lead to it`;
  const message = `${singular} ${String(row[primary])} cannot be removed: ${who}. Remove or unlink those first.`;
  return { status: 409, message };
}

const listenRemove = (context: Context): Listener =>
  async function remove(request, response, { event }) {
    const schema = findSchema(context, request, response);
    if (!schema) return;
    const { database } = context.services;
    const reach = needReach(schema.name, 'remove', response);
    const key = reach && needKey(schema, request.getStage() as Stage, response);
    if (!reach || !key) return;
    const searcher = getSearcher(context.plan.model);
    const row = await searcher.detail(database, schema.name, key, { rows: reach.rows, relations: [] });
    if (!row) return fail(response, notFound);
    const shown = await readShown(context, schema, Number(row[schema.primary]), reach);
    const holding = { model: context.plan.model, schema, database };
    try {
      await database.write(async () => {
        if (schema.active !== undefined) {
          const holders = await describeHolders(row, { ...holding, mode: 'soft' });
          if (holders !== undefined) throw new RowFailure(toHeld(schema, row, holders));
        }
        const held = searcher.held(database, schema.name, reach.rows);
        const removed = await removeRow(context, schema, { row, held });
        succeed(response, removed);
        await context.committing(event, request, response);
        if (shown) answerShown(response, toShownChange(shown, removed, schema));
      });
    } catch (error) {
      response.removeResults();
      if (error instanceof RowFailure) return fail(response, error.failure);
      if (findConstraint(error)?.kind !== 'foreign') throw error;
      fail(response, toHeld(schema, row, await describeHolders(row, { ...holding, mode: 'hard' })));
    }
  };

export const systemModelRemove: EventContribution = {
  event: 'system-model-remove',
  description: 'Removes a row: softly if the schema has an active field, otherwise permanently.',
  stage: keyStage,
  results: ROW,
  commits: 'self',
  listen: listenRemove,
};
