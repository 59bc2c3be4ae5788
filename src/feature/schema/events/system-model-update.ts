import type { Listener } from '../../../core/bus.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { getSearcher } from '../../../query/searcher.ts';
import { draftRow, explainWrite, holdToOwner, RowFailure, readBack, toTools } from '../draft.ts';
import { fail, notFound, succeed } from '../errors.ts';
import type { RowPlans } from '../row-plans.ts';
import { updateRow } from '../sql.ts';
import { findSchema, getRestriction, needKey, type Stage } from '../stage.ts';
import { columnStage, keyStage, ROW } from '../stage-words.ts';

const listenUpdate = (context: Context, plans: RowPlans): Listener =>
  async function update(request, response, { event }) {
    const schema = findSchema(context, request, response);
    if (!schema) return;
    const { database } = context.services;
    const restriction = getRestriction(request);
    const held = holdToOwner(schema, request.getStage() as Stage, restriction, 'update');
    if ('failure' in held) return fail(response, held.failure);
    const { stage } = held;
    const key = needKey(schema, stage, response);
    if (!key) return;
    const options = { profileId: restriction?.profileId, relations: [] };
    const original = await getSearcher(context.plan.model).detail(database, schema.name, key, options);
    if (!original) return fail(response, notFound);
    const plan = plans(schema, context.services.clock);
    const tools = toTools(context, request);
    const draft = await draftRow({ plan, stage, mode: 'update', tools, database, stored: original });
    if ('failure' in draft) return fail(response, draft.failure);
    const id = Number(original[schema.primary]);
    try {
      await database.write(async () => {
        if (!(await updateRow(database, schema, id, draft.row))) throw new RowFailure(notFound);
        succeed(response, { ...(await readBack(context, plan, id)), original });
        await context.committing(event, request, response);
      });
    } catch (error) {
      response.removeResults();
      const failure = await explainWrite(error, plan, draft.row, database);
      if (!failure) throw error;
      fail(response, failure);
    }
  };

export const systemModelUpdate = (plans: RowPlans): EventContribution => ({
  event: 'system-model-update',
  description: "Changes what is sent of a row, after checking it by the schema's rules.",
  stage: { ...keyStage, ...columnStage, '<relation>_id': 'Id of another row to lead to.' },
  results: `${ROW} \`original\` is the row as it was.`,
  commits: 'self',
  listen: (context) => listenUpdate(context, plans),
});
