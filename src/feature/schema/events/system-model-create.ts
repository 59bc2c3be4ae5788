import { getAccess } from '../../../core/access.ts';
import type { Listener } from '../../../core/bus/followers.ts';
import { advanceCounter } from '../../../database/counter.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { RowFailure } from '../../../plan/emit/row-feed.ts';
import { defineRowEvent } from '../../../plan/event/event.ts';
import type { Context, EventRecord } from '../../../plan/feature.ts';
import { getOwnFacts } from '../../../plan/own-facts.ts';
import { recordChange, recordLink } from '../../../plan/recorder.ts';
import { getSearcher } from '../../../store/read/searcher.ts';
import type { Reach } from '../../../store/read/source/view.ts';
import { listLiveKeys } from '../../../store/write/live-key.ts';
import { insertOne } from '../../../store/write/one-row.ts';
import { insertRow } from '../../../store/write/row-sql.ts';
import { checkWritten, createTools, draftRow, explainWrite, readBack, restrictToOwner, tieFiles } from '../draft.ts';
import { toInvalid } from '../errors.ts';
import { startIncrements } from '../increment.ts';
import { findEndError, linkRows } from '../link.ts';
import { findRecording } from '../record.ts';
import { listChildIds, type RowPlan } from '../row-plan.ts';
import type { RowPlans } from '../row-plans.ts';
import { readSent } from '../sent.ts';
import { findSchema, needReach, REFUSED, type Stage } from '../stage.ts';
import { columnKeys, relatedKeys, rowResults, schemaKey } from '../stage-docs.ts';
import { restrictToWritable } from '../unwritable.ts';
import { findInvisible } from '../visibility.ts';
import { readVisible } from '../visible-row.ts';
import { findReturningAlone, write } from '../write.ts';

/** Refuses links of a new row that the rules for `link` do not reach. @throws RowFailure (403) */
async function checkLinkable(context: Context, { name }: SchemaModel, id: number): Promise<void> {
  const grant = getAccess().grant(name, 'link');
  const { anyOf } = grant?.rows ?? {};
  const searcher = getSearcher(context.plan.model);
  const rows = anyOf === undefined ? undefined : { anyOf };
  const isReached = grant && (await searcher.reached(context.services.database, name, [id], rows)).has(id);
  if (!isReached) throw new RowFailure({ status: 403, message: REFUSED, code: 'ACCESS_REFUSED' });
}

/** Links a new row with the rows that its stage names. */
async function linkNew(
  context: Context,
  plan: RowPlan,
  id: number,
  more: { readonly stage: Stage; readonly reach: Reach },
): Promise<void> {
  const { database } = context.services;
  const links = listChildIds(plan, more.stage);
  if (links.length > 0) await checkLinkable(context, plan.schema, id);
  for (const { link, id: other } of links) {
    const source = { schema: plan.schema, key: plan.schema.primary };
    const pair = { relation: link.relation, source, target: { schema: link.target, key: link.key } };
    // The new row belongs to the caller. A 1:N child's own row changes, so its owner is checked.
    const fault = await findEndError(pair, { source: undefined, target: other }, more.reach, context);
    if (fault) throw new RowFailure({ ...fault, status: 422, code: 'VALIDATION_FAILED' });
    const linked = await linkRows(pair, id, other, database);
    if ('failure' in linked)
      throw new RowFailure({ ...linked.failure, validation: { [link.key]: linked.failure.message } });
    recordLink(context, 'link', pair.relation, { source: id, target: other });
  }
}

const hasLinks = (plan: RowPlan, stage: Stage): boolean =>
  plan.links.length > 0 && listChildIds(plan, stage).length > 0;

const listenCreate = (context: Context, plans: RowPlans): Listener =>
  async function create(request, response, { event }) {
    const schema = findSchema(context, request, response);
    if (!schema) return;
    const { database } = context.services;
    const plan = plans(schema, context.services.clock);
    const granted = needReach(context, schema.name, 'create', response);
    if (!granted) return;
    const writable = restrictToWritable(request, plan, granted);
    if ('failure' in writable) return response.refuse(writable.failure);
    const { reach } = writable;
    const restricted = restrictToOwner(schema, readSent(schema.columns, request), reach, 'create');
    if ('failure' in restricted) return response.refuse(restricted.failure);
    const { upsert } = getOwnFacts(request);
    const tools = createTools(context, request);
    const stage = upsert ? startIncrements(schema, restricted.stage, request, tools.now) : restricted.stage;
    const drafted = draftRow({ plan, stage, mode: 'create', tools, database });
    // Most steps have nothing to wait for, and each `await` costs time.
    const draft = drafted instanceof Promise ? await drafted : drafted;
    if ('failure' in draft) return response.refuse(draft.failure);
    const invisible = findInvisible(context, { schema, foreign: plan.foreign, row: draft.row }, reach);
    const secluded = invisible instanceof Promise ? await invisible : invisible;
    if (Object.keys(secluded).length > 0) return response.refuse(toInvalid(secluded));
    const live = listLiveKeys(plan.foreign, draft.row);
    const returning =
      hasLinks(plan, stage) || upsert
        ? undefined
        : findReturningAlone(context, { event, request, schema, reach, tools });
    const record = returning && findRecording(context, { action: 'create', schema });
    const state = { id: 0 };
    await write(
      context,
      { event, request, response },
      {
        alone: returning && (() => insertOne(database, schema, { row: draft.row, live, returning, record })),
        async inside() {
          tieFiles(tools, database);
          const row = upsert?.id === undefined ? draft.row : { ...draft.row, [schema.primary]: upsert.id };
          const id = await insertRow(database, schema, row, live);
          state.id = id;
          if (upsert?.id !== undefined) await advanceCounter(database, schema.table, schema.primary);
          if (plan.links.length > 0) await linkNew(context, plan, id, { stage, reach });
          await checkWritten(context, schema, id, reach);
          const after = await readBack(context, schema, id);
          recordChange(context, { action: 'create', schema, id, after });
          return { results: after };
        },
        show: () => readVisible(context, schema, state.id, reach),
        explain: (error) => explainWrite(error, { plan, row: draft.row, database }),
      },
    );
  };

export const systemModelCreate = (plans: RowPlans): EventRecord =>
  defineRowEvent({
    name: 'system-model-create',
    description: "Checks a row by the schema's rules and creates it.",
    keys: (schema) => ({ ...schemaKey(), ...columnKeys(schema), ...relatedKeys(schema) }),
    results: () => rowResults(' The id is included.'),
    kind: 'self',
    listen: (context) => listenCreate(context, plans),
  });
