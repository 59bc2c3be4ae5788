import type { Listener } from '../../../core/bus.ts';
import { toStamp } from '../../../core/clock.ts';
import type { Row } from '../../../database/database.ts';
import type { SchemaModel } from '../../../model/model.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { getSearcher } from '../../../query/searcher.ts';
import { RowFailure } from '../draft.ts';
import { type Failure, fail, findConstraint, notFound, succeed } from '../errors.ts';
import { describeHolders } from '../holders.ts';
import { deleteRow, updateRow } from '../sql.ts';
import { findSchema, getRestriction, needKey, type Stage } from '../stage.ts';
import { keyStage, ROW } from '../stage-words.ts';

/** Removes softly where the schema has an `active` field. Gives the row as it is now, or as it was last. */
async function removeRow(context: Context, schema: SchemaModel, row: Row): Promise<Row> {
  const { database, clock } = context.services;
  const id = Number(row[schema.primary]);
  if (schema.active === undefined) {
    await deleteRow(database, schema, id);
    return row;
  }
  const stamp = schema.updated === undefined ? {} : { [schema.updated]: toStamp(clock.now()) };
  const change = { [schema.active]: 0, ...stamp };
  await updateRow(database, schema, id, change);
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
    const key = schema && needKey(schema, request.getStage() as Stage, response);
    if (!schema || !key) return;
    const { database } = context.services;
    const options = { profileId: getRestriction(request)?.profileId, relations: [] };
    const row = await getSearcher(context.plan.model).detail(database, schema.name, key, options);
    if (!row) return fail(response, notFound);
    const holding = { model: context.plan.model, schema, database };
    try {
      await database.write(async () => {
        if (schema.active !== undefined) {
          const holders = await describeHolders(row, { ...holding, mode: 'soft' });
          if (holders !== undefined) throw new RowFailure(toHeld(schema, row, holders));
        }
        succeed(response, await removeRow(context, schema, row));
        await context.committing(event, request, response);
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
  description: 'Removes a row: softly where the schema has an active field, else for good.',
  stage: keyStage,
  results: ROW,
  commits: 'self',
  listen: listenRemove,
};
