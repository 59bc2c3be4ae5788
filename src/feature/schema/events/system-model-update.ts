import type { Listener } from '../../../core/bus/followers.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import type { Database } from '../../../database/database.ts';
import type { Row } from '../../../database/row-statement.ts';
import { fieldKinds } from '../../../model/field/field-kind.ts';
import { hashAhead } from '../../../model/field/password-hashes.ts';
import { decodeJson, isRecord } from '../../../model/json/json-value.ts';
import { mergePatch } from '../../../model/json/merge-patch.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { isTreeKey } from '../../../model/tree.ts';
import { RowFailure } from '../../../plan/emit/row-feed.ts';
import { defineRowEvent } from '../../../plan/event/event.ts';
import { anything } from '../../../plan/event/value.ts';
import type { Context, EventRecord } from '../../../plan/feature.ts';
import { recordChange } from '../../../plan/recorder.ts';
import { getSearcher } from '../../../store/read/searcher.ts';
import type { Reach } from '../../../store/read/source/view.ts';
import type { ReturningClause } from '../../../store/read/sql/returning.ts';
import { listLiveKeys } from '../../../store/write/live-key.ts';
import { updateOne } from '../../../store/write/one-row.ts';
import { readColumns } from '../../../store/write/row-sql.ts';
import {
  checkWritten,
  createTools,
  draftRow,
  explainWrite,
  readBack,
  restrictToOwner,
  tieFiles,
  toParentConflict,
} from '../draft.ts';
import { toInvalid, toMissingRow } from '../errors.ts';
import { applyIncrements, type Increments, listIncrements } from '../increment.ts';
import { comparesStored, findOneGuard, findRecording, updateKnown } from '../record.ts';
import type { ForeignKey, RowPlan } from '../row-plan.ts';
import type { RowPlans } from '../row-plans.ts';
import { readSent } from '../sent.ts';
import { findSchema, needKey, needReach, type Stage } from '../stage.ts';
import { columnKeys, relatedKeys, rowKeys, rowResults } from '../stage-docs.ts';
import { restrictToWritable } from '../unwritable.ts';
import { findInvisible } from '../visibility.ts';
import { readVisible } from '../visible-row.ts';
import { findReturningAlone, write } from '../write.ts';

const listParents = ({ foreign, schema }: RowPlan, row: Row): ForeignKey[] =>
  foreign.filter(
    ({ kind, column }) => kind === 'parent' && typeof row[column] === 'number' && !isTreeKey(schema, column),
  );

/** Locks the row: if two requests give one child to two parents at once, the second sees the first. */
async function lockParents(plan: RowPlan, id: number, row: Row, database: Database): Promise<void> {
  const { schema } = plan;
  const parents = listParents(plan, row);
  if (parents.length === 0) return;
  const columns = parents.map(({ column }) => column);
  const stored = await readColumns(database, schema, { column: schema.primary, value: id, isLocking: true }, columns);
  for (const { column, target } of parents) {
    const before = stored?.[column];
    if (before === null || before === undefined || Number(before) === row[column]) continue;
    throw new RowFailure(toParentConflict(schema, target, Number(before), column));
  }
}

/** JSON columns of a merge patch: their objects are merged into the stored ones. @see RFC 7396 */
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
  /** True if null clears every optional column. */
  readonly isPatch: boolean;
  readonly reach: Reach;
}

/** Validates a change of a row that was read, then writes it. */
async function changeRow(change: Change, original: Row): Promise<void> {
  const { context, plan, stage, request, response, event, isPatch, reach } = change;
  const { schema } = plan;
  const { database } = context.services;
  const tools = createTools(context, request);
  const draft = await draftRow({ plan, stage, mode: 'update', tools, database, stored: original, isPatch });
  if ('failure' in draft) return response.refuse(draft.failure);
  const { row } = draft;
  const secluded = await findInvisible(context, { schema, foreign: plan.foreign, row }, reach);
  if (Object.keys(secluded).length > 0) return response.refuse(toInvalid(secluded));
  const id = Number(original[schema.primary]);
  const visible = readVisible(context, schema, id, reach);
  const shown = visible && (await visible);
  const rowFilter = getSearcher(context.plan.model).rowFilter(database.dialect, schema.name, reach.rows);
  const live = listLiveKeys(plan.foreign, row, original);
  const isOne =
    Object.keys(row).length > 0 && listParents(plan, row).length === 0 && !comparesStored(context, schema, row);
  const returning = isOne ? findReturningAlone(context, { event, request, schema, reach, tools }) : undefined;
  const changeAlone = async (one: ReturningClause): Promise<Row | undefined> => {
    const guard = findOneGuard(context, schema, row, original);
    const record = findRecording(context, { action: 'update', schema, before: original, columns: Object.keys(row) });
    const changed = await updateOne(database, schema, id, {
      row,
      live,
      rowFilter,
      original,
      returning: one,
      guard,
      record,
    });
    if (changed === undefined && guard === undefined) throw new RowFailure(toMissingRow(schema, { value: id }));
    return changed && { ...changed, original };
  };
  await write(
    context,
    { event, request, response },
    {
      alone: returning && (() => changeAlone(returning)),
      async inside() {
        tieFiles(tools, database);
        await lockParents(plan, id, row, database);
        const before = await updateKnown(context, schema, id, { row, live, rowFilter, known: original });
        if (before === undefined) throw new RowFailure(toMissingRow(schema, { value: id }));
        await checkWritten(context, schema, id, reach);
        const after = await readBack(context, schema, id);
        recordChange(context, { action: 'update', schema, id, before, after, columns: Object.keys(row) });
        return { results: { ...after, original } };
      },
      show: async () => shown && { ...(await readVisible(context, schema, id, reach)), original: shown },
      explain: (error) => explainWrite(error, { plan, row, before: original, database }),
    },
  );
}

/** What depends on the stored row. */
interface RelativeChange {
  readonly id: number;
  /** JSON columns with objects to merge. */
  readonly merged: readonly string[];
  readonly increments: Increments;
  readonly find: () => Promise<Row | undefined>;
}

/**
 * Merges objects and adds increments to the stored values while the row is locked, so that two changes at once both take
 * effect.
 */
async function changeStored(change: Change, { id, merged: names, increments, find }: RelativeChange): Promise<void> {
  const { context, plan, stage, response } = change;
  const { schema } = plan;
  const { database } = context.services;
  await database.transaction(async () => {
    await readColumns(database, schema, { column: schema.primary, value: id, isLocking: true }, [schema.primary]);
    const stored = await find();
    if (!stored) return response.refuse(toMissingRow(schema, { value: id }));
    const merged = names.map((name) => [name, mergePatch(decodeJson(stored[name]), stage[name])] as const);
    const values = { ...Object.fromEntries(merged), ...applyIncrements(schema, increments, stored) };
    return changeRow({ ...change, stage: { ...stage, ...values } }, stored);
  });
}

const listenUpdate = (context: Context, plans: RowPlans): Listener =>
  function update(request, response, { event }) {
    const schema = findSchema(context, request, response);
    if (!schema) return undefined;
    const { database, clock } = context.services;
    const granted = needReach(context, schema.name, 'update', response);
    if (!granted) return undefined;
    const held = restrictToOwner(schema, readSent(schema.columns, request), granted, 'update');
    if ('failure' in held) return response.refuse(held.failure);
    const { stage } = held;
    const key = needKey(schema, stage, response);
    if (!key) return undefined;
    const plan = plans(schema, clock);
    const writable = restrictToWritable(request, plan, granted, key.column);
    if ('failure' in writable) return response.refuse(writable.failure);
    const { reach } = writable;
    const options = { rows: reach.rows, relations: [] };
    const find = (): Promise<Row | undefined> =>
      getSearcher(context.plan.model).detail(database, schema.name, key, options);
    return find().then((original) => {
      if (!original) return response.refuse(toMissingRow(schema, key));
      const isPatch = request.callFacts?.isPatch === true;
      const change = { context, plan, stage, request, response, event, isPatch, reach };
      const merged = isPatch ? listMerged(schema, stage) : [];
      const increments = listIncrements(schema, stage, request);
      if (merged.length === 0 && increments.size === 0) return changeRow(change, original);
      const relative = { id: Number(original[schema.primary]), merged, increments, find };
      return hashAhead(request, schema.columns, [stage], context.services.passwords).then(() =>
        changeStored(change, relative),
      );
    });
  };

export const systemModelUpdate = (plans: RowPlans): EventRecord =>
  defineRowEvent({
    name: 'system-model-update',
    description: "Checks the given values by the schema's rules and changes them in a row.",
    keys: (schema) => ({
      ...rowKeys(schema),
      ...columnKeys(schema),
      ...relatedKeys(schema, 'Id of another row to link instead.'),
      // A number column is a column of the schema.
      ...(schema ? {} : { '<number>': () => anything('`{ increment: 1 }`, set by code, adds to a number.') }),
    }),
    results: () => rowResults(' `original` is the row before the change.'),
    kind: 'self',
    listen: (context) => listenUpdate(context, plans),
  });
