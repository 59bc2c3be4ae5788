import type { Listener } from '../../../core/bus.ts';
import { toStamp } from '../../../core/clock.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { getSearcher } from '../../../query/searcher.ts';
import { fail, findConstraint, notFound, succeed } from '../errors.ts';
import { updateRow } from '../sql.ts';
import { findSchema, getRestriction, needKey, type Stage } from '../stage.ts';
import { keyStage, ROW } from '../stage-words.ts';

const listenRestore = (context: Context): Listener =>
  async function restore(request, response, { event }) {
    const schema = findSchema(context, request, response);
    const key = schema && needKey(schema, request.getStage() as Stage, response);
    if (!schema || !key) return;
    const { database, clock } = context.services;
    const options = { profileId: getRestriction(request)?.profileId, includesRemoved: true, relations: [] };
    const row = await getSearcher(context.plan.model).detail(database, schema.name, key, options);
    if (!row) return fail(response, notFound);
    const { active, updated } = schema;
    // A row that is there needs no restoring; a schema without `active` removes for good.
    if (active === undefined || row[active] === 1) return succeed(response, row);
    const change = { [active]: 1, ...(updated === undefined ? {} : { [updated]: toStamp(clock.now()) }) };
    try {
      await database.write(async () => {
        await updateRow(database, schema, Number(row[schema.primary]), change);
        succeed(response, { ...row, ...change });
        await context.committing(event, request, response);
      });
    } catch (error) {
      response.removeResults();
      if (findConstraint(error)?.kind !== 'unique') throw error;
      const message = `${schema.singular} ${String(row[schema.primary])} cannot be restored: another row has its place now.`;
      fail(response, { status: 409, message });
    }
  };

export const systemModelRestore: EventContribution = {
  event: 'system-model-restore',
  description: 'Brings a softly removed row back.',
  stage: keyStage,
  results: ROW,
  commits: 'self',
  listen: listenRestore,
};
