import type { Listener } from '../../../core/bus.ts';
import { toStamp } from '../../../core/clock.ts';
import type { Row } from '../../../database/database.ts';
import type { SchemaModel } from '../../../model/model.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { getSearcher } from '../../../query/searcher.ts';
import { fail, findConstraint, notFound, succeed } from '../errors.ts';
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

function describeHeld(schema: SchemaModel, row: Row, context: Context): string {
  const { schemas } = context.plan.model;
  const holders = schema.reverse
    .filter(({ kind }) => kind === '1:1')
    .map(({ source }) => schemas.get(source)?.plural ?? source);
  const who = holders.length > 0 ? holders.join(' or ') : 'other rows';
  return `${schema.singular} ${String(row[schema.primary])} cannot be removed: ${who} still lead to it. Remove those first.`;
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
    try {
      await database.write(async () => {
        succeed(response, await removeRow(context, schema, row));
        await context.committing(event, request, response);
      });
    } catch (error) {
      response.removeResults();
      if (findConstraint(error)?.kind !== 'foreign') throw error;
      fail(response, { status: 409, message: describeHeld(schema, row, context) });
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
