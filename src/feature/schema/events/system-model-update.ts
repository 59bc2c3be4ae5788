import type { Listener } from '../../../core/bus.ts';
import type { Database, Row } from '../../../database/database.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { getSearcher } from '../../../query/searcher.ts';
import {
  draftRow,
  explainWrite,
  holdToOwner,
  RowFailure,
  readBack,
  tieFiles,
  toParentConflict,
  toTools,
} from '../draft.ts';
import { fail, notFound, succeed } from '../errors.ts';
import type { RowPlan } from '../row-plan.ts';
import type { RowPlans } from '../row-plans.ts';
import { readColumns, updateRow } from '../sql.ts';
import { findSchema, getRestriction, needKey } from '../stage.ts';
import { columnStage, keyStage, ROW } from '../stage-words.ts';
import { withFiles } from '../uploads.ts';

/** Of two that give one child to two parents at once, the second sees the first. */
async function holdParents({ schema, foreign }: RowPlan, id: number, row: Row, database: Database): Promise<void> {
  const parents = foreign.filter(({ kind, column }) => kind === 'parent' && typeof row[column] === 'number');
  if (parents.length === 0) return;
  const columns = parents.map(({ column }) => column);
  const stored = await readColumns(database, schema, { column: schema.primary, value: id, isLocking: true }, columns);
  for (const { column, target } of parents) {
    const before = stored?.[column];
    if (before === null || before === undefined || Number(before) === row[column]) continue;
    throw new RowFailure(toParentConflict(schema, target, Number(before), column));
  }
}

const listenUpdate = (context: Context, plans: RowPlans): Listener =>
  async function update(request, response, { event }) {
    const schema = findSchema(context, request, response);
    if (!schema) return;
    const { database } = context.services;
    const restriction = getRestriction(request);
    const held = holdToOwner(schema, withFiles(schema.columns, request), restriction, 'update');
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
        tieFiles(tools, database);
        await holdParents(plan, id, draft.row, database);
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
