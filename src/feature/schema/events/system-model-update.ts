import type { Listener } from '../../../core/bus.ts';
import type { Request } from '../../../core/request.ts';
import type { Response } from '../../../core/response.ts';
import type { Database, Row } from '../../../database/database.ts';
import { fieldKinds } from '../../../model/field-kind.ts';
import { isRecord, readJson } from '../../../model/json-value.ts';
import { mergePatch } from '../../../model/merge-patch.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { hashAhead } from '../../../model/password-hashes.ts';
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
import { fail, notFound, succeed, toInvalid } from '../errors.ts';
import type { RowPlan } from '../row-plan.ts';
import type { RowPlans } from '../row-plans.ts';
import { findSecluded } from '../shown.ts';
import { readColumns, updateRow } from '../sql.ts';
import { findSchema, getRestriction, needKey, type Stage } from '../stage.ts';
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

/** JSON columns of a merge patch whose objects are merged into the stored ones. @see RFC 7396 */
const listMerged = (schema: SchemaModel, stage: Stage): string[] =>
  schema.columns
    .filter(({ name, field }) => fieldKinds[field.type].isJson && isRecord(stage[name]))
    .map(({ name }) => name);

interface Change {
  readonly context: Context;
  readonly plan: RowPlan;
  readonly stage: Stage;
  readonly request: Request;
  readonly response: Response;
  readonly event: string;
  /** Whether null clears whatever may be empty. */
  readonly isPatch: boolean;
}

/** Checks a change of a row that was read, and writes it. */
async function changeRow(change: Change, original: Row): Promise<void> {
  const { context, plan, stage, request, response, event, isPatch } = change;
  const { schema } = plan;
  const { database } = context.services;
  const tools = toTools(context, request);
  const draft = await draftRow({ plan, stage, mode: 'update', tools, database, stored: original, isPatch });
  if ('failure' in draft) return fail(response, draft.failure);
  const secluded = await findSecluded(context, { ...plan, row: draft.row }, getRestriction(request));
  if (Object.keys(secluded).length > 0) return fail(response, toInvalid(secluded));
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
}

/** Merges objects into what is stored, with the row held meanwhile: of two that add a key each, both stay. */
async function mergeRow(change: Change, id: number, find: () => Promise<Row | undefined>): Promise<void> {
  const { context, plan, stage, response } = change;
  const { schema } = plan;
  const { database } = context.services;
  await database.transaction(async () => {
    await readColumns(database, schema, { column: schema.primary, value: id, isLocking: true }, [schema.primary]);
    const stored = await find();
    if (!stored) return fail(response, notFound);
    const names = listMerged(schema, stage);
    const merged = names.map((name) => [name, mergePatch(readJson(stored[name]), stage[name])] as const);
    return changeRow({ ...change, stage: { ...stage, ...Object.fromEntries(merged) } }, stored);
  });
}

const listenUpdate = (context: Context, plans: RowPlans): Listener =>
  async function update(request, response, { event }) {
    const schema = findSchema(context, request, response);
    if (!schema) return;
    const { database, clock } = context.services;
    const restriction = getRestriction(request);
    const held = holdToOwner(schema, withFiles(schema.columns, request), restriction, 'update');
    if ('failure' in held) return fail(response, held.failure);
    const { stage } = held;
    const key = needKey(schema, stage, response);
    if (!key) return;
    const options = { profileId: restriction?.profileId, relations: [] };
    const find = (): Promise<Row | undefined> =>
      getSearcher(context.plan.model).detail(database, schema.name, key, options);
    const original = await find();
    if (!original) return fail(response, notFound);
    const isPatch = request.get('merge') === true;
    const change = { context, plan: plans(schema, clock), stage, request, response, event, isPatch };
    if (!isPatch || listMerged(schema, stage).length === 0) return changeRow(change, original);
    await hashAhead(request, schema.columns, [stage], context.services.random);
    return mergeRow(change, Number(original[schema.primary]), find);
  };

export const systemModelUpdate = (plans: RowPlans): EventContribution => ({
  event: 'system-model-update',
  description: "Changes what is sent of a row, after checking it by the schema's rules.",
  stage: { ...keyStage, ...columnStage, '<relation>_id': 'Id of another row to lead to.' },
  results: `${ROW} \`original\` is the row as it was.`,
  commits: 'self',
  listen: (context) => listenUpdate(context, plans),
});
