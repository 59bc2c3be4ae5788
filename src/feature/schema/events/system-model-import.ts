import * as z from 'zod';
import { findSurelyReadable, type Grant, getAccess } from '../../../core/access.ts';
import type { Listener } from '../../../core/bus/followers.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Messages, Response } from '../../../core/request/response.ts';
import { noteOthers, noteRule } from '../../../core/text/rule-note.ts';
import { refreshStatistics } from '../../../database/statistics/refresh.ts';
import { LEAST_ROWS } from '../../../database/statistics/rule.ts';
import { hashAhead, MOST_PASSWORDS } from '../../../model/field/password-hashes.ts';
import { toFlatMessages, toInvalidMessage } from '../../../model/field/validate.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { findWaitingWork } from '../../../plan/emit/deferred-work.ts';
import { type FedRow, RowFailure, RowFeed, type RowFeedOptions } from '../../../plan/emit/row-feed.ts';
import { defineRowEvent } from '../../../plan/event/event.ts';
import { row } from '../../../plan/event/value.ts';
import type { Context, EventRecord } from '../../../plan/feature.ts';
import { getSearcher } from '../../../store/read/searcher.ts';
import type { Reach } from '../../../store/read/source/view.ts';
import { withRoom } from '../../../store/write/bulk.ts';
import { createTools, type RowTools, tieFiles } from '../draft.ts';
import { notOwned, toInvalid } from '../errors.ts';
import { Importer, type ImporterOptions } from '../import.ts';
import { compileImportPlan, type ImportPlan } from '../import-plan.ts';
import { createImportRecord, type ImportRecord } from '../import-record.ts';
import type { ImportRow } from '../import-row.ts';
import { createImportTeller } from '../import-tell.ts';
import type { RowPlans } from '../row-plans.ts';
import { findSchema, needReach } from '../stage.ts';
import { schemaKey } from '../stage-docs.ts';
import { hasLinks, listKeys, restrictToWritableKeys } from '../unwritable.ts';

/** Rows that are checked and written together. */
const BATCH = 1000;
/** A list with at least this many rows is imported in a transaction without a time limit. */
const LONG = 2000;
/** Bad rows that a message names; the validation messages name all. */
const NAMED = 5;

/** Thrown to roll back a dry run, or an import with bad rows. */
class RollbackError extends Error {}

interface Task {
  readonly importer: Importer;
  readonly request: Request;
  readonly response: Response;
  readonly event: string;
  readonly context: Context;
  readonly tools: RowTools;
  readonly record: ImportRecord | undefined;
  /** True if somebody hears of each row. */
  readonly isTold: boolean;
  readonly isTrial: boolean;
  readonly skipsBad: boolean;
  /** What was done with each row of the list. */
  readonly data: Record<string, unknown>[];
}

/** Reports the bad rows of a list: messages by row (from 0) and column. */
function failRows(response: Response, bad: readonly RefusedRow[]): void {
  for (const { messages } of bad) noteOthers(messages, () => ({ rule: 'value' }));
  const [first] = bad;
  const example = first && toInvalidMessage(first.messages);
  const rows = [...bad].sort((a, b) => a.row.line - b.row.line);
  const lines = rows.slice(0, NAMED).map(({ row }) => row.line);
  const named = `${lines.join(', ')}${rows.length > NAMED ? ` and ${rows.length - NAMED} more` : ''}`;
  const message =
    bad.length === 1 ? `Row ${first?.row.line}: ${example}` : `${bad.length} rows are not valid: ${named}.`;
  response.refuse({ status: 422, message, code: 'VALIDATION_FAILED' });
  for (const { row, messages } of rows) response.addValidation(String(row.line - 1), messages);
}

interface RefusedRow {
  readonly row: FedRow;
  readonly messages: Messages;
}

/** Last step inside the transaction: completes the import, or throws to roll it back. */
async function conclude({ importer, record, request, response, event, context, ...task }: Task): Promise<void> {
  await importer.finish();
  const cleaned = importer.cleaned.size === 0 ? {} : { cleaned: Object.fromEntries(importer.cleaned) };
  const results = { data: task.data, new: importer.created, old: importer.updated, ...cleaned };
  if (importer.bad > 0 && !task.skipsBad) throw new RollbackError();
  response.succeed(task.isTrial ? { ...results, data: [] } : results);
  if (task.isTrial) {
    findWaitingWork(request)?.drop();
    throw new RollbackError();
  }
  if (importer.created + importer.updated === 0) return;
  record?.conclude(importer);
  await context.committing(event, request, response);
}

async function importList(rows: readonly unknown[], task: Task): Promise<void> {
  const { database } = task.context.services;
  const given = rows.map((values, index): FedRow => ({ line: index + 1, values }));
  const read: ImportRow[][] = [];
  for (let start = 0; start < given.length; start += BATCH) {
    read.push(await task.importer.read(given.slice(start, start + BATCH)));
  }
  const unit = async (): Promise<void> => {
    tieFiles(task.tools, database);
    for (const batch of read) await task.importer.write(batch);
    await conclude(task);
  };
  await (rows.length > LONG ? database.restructure(unit, false) : task.context.write(task, unit, task.isTold));
}

/** Reads and checks the next batch while the previous one is written. */
async function importFeed({ batches }: RowFeedOptions, task: Task): Promise<void> {
  const { database } = task.context.services;
  const unit = async (): Promise<void> => {
    tieFiles(task.tools, database);
    let writing: Promise<void> = Promise.resolve();
    try {
      for await (const batch of batches) {
        const read = await task.importer.read(batch);
        await writing;
        writing = task.importer.write(read);
        // Awaited before the next write; without this handler an earlier failure would be an unhandled rejection.
        writing.catch(() => undefined);
      }
    } finally {
      await writing.catch(() => undefined);
    }
    await writing;
    await conclude(task);
  };
  await database.restructure(() => withRoom(database, unit), false);
}

/** Caches a schema's import plan for as long as its row plan lives. */
function createImportPlans(): (context: Context, schema: SchemaModel, plans: RowPlans) => ImportPlan {
  const cache = new WeakMap<object, ImportPlan>();
  return ({ plan, services }, schema, plans) => {
    const rows = plans(schema, services.clock);
    const known = cache.get(rows);
    if (known) return known;
    const made = compileImportPlan(plan.model, rows, getSearcher(plan.model).source(schema.name));
    cache.set(rows, made);
    return made;
  };
}

/** The plan without matching by columns that may not be read: the answer would reveal which row has a value. */
function hideMatches(plan: ImportPlan): ImportPlan {
  const { name } = plan.rows.schema;
  const readable = findSurelyReadable(getAccess(), name);
  if (readable === undefined) return plan;
  return { ...plan, matches: plan.matches.filter(({ model }) => model === undefined || readable.has(model.name)) };
}

async function findSeenIds(
  { plan, services }: Context,
  grant: Grant | undefined,
  schema: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (grant === undefined) return new Set();
  return getSearcher(plan.model).reached(services.database, schema, ids, grant.rows);
}

function createTask(
  context: Context,
  pair: { readonly request: Request; readonly response: Response; readonly event: string; readonly reach: Reach },
  plan: ImportPlan,
  feed: RowFeedOptions | undefined,
): Task & { readonly refused: RefusedRow[] } {
  const { request } = pair;
  const refused: RefusedRow[] = [];
  const data: Record<string, unknown>[] = [];
  const tools = createTools(context, request);
  const { database } = context.services;
  const { rows, after = rows, see } = pair.reach;
  const searcher = getSearcher(context.plan.model);
  const access = getAccess();
  const { name } = plan.rows.schema;
  const isTrial = request.getStage('dry_run') === true;
  const record = isTrial ? undefined : createImportRecord(context, plan.rows.schema);
  const tell = createImportTeller(context, plan.rows.schema);
  const options: ImporterOptions = {
    plan,
    database,
    tools,
    ...(record && { record }),
    ...(tell && { tell }),
    ignoresUnknown: request.getStage('ignore_unknown') === true,
    ...(rows === undefined ? {} : { reached: (ids) => searcher.reached(database, plan.rows.schema.name, ids, rows) }),
    ...(after === undefined
      ? {}
      : { filterWritten: (ids) => searcher.reached(database, plan.rows.schema.name, ids, after) }),
    ...(see === undefined ? {} : { linkable: (ids) => findSeenIds(context, access.grant(name, 'link'), name, ids) }),
    ...(see === undefined ? {} : { sees: (schema, ids) => findSeenIds(context, see(schema), schema, ids) }),
    isOwn: feed?.isOwn === true,
    isNew: feed?.isNew === true,
    refuse: (row, messages) =>
      feed ? feed.refuse?.(row, toFlatMessages(messages)) : void refused.push({ row, messages }),
    ...(feed
      ? {}
      : {
          wrote: (row: FedRow, id: number, action: string) => {
            data[row.line - 1] = { action, row: { [plan.rows.schema.primary]: id }, error: false };
          },
        }),
  };
  return {
    ...pair,
    context,
    importer: new Importer(options),
    tools,
    record,
    isTold: tell !== undefined,
    isTrial,
    skipsBad: feed?.skipsBad === true,
    data,
    refused,
  };
}

/** Hashes the passwords of a call before the transaction; false if there are more than a request has time for. */
async function prepareList(
  { services }: Context,
  { columns }: SchemaModel,
  request: Request,
  rows: readonly unknown[],
): Promise<boolean> {
  return request.callFacts === undefined || hashAhead(request, columns, rows, services.passwords);
}

/** After many new rows, at once: until the next look of the server's upkeep, searches would read far too many rows. */
async function refreshPlanner({ context, importer, isTrial }: Task, { table }: SchemaModel): Promise<void> {
  const { database, clock, log } = context.services;
  const rows = importer.created + importer.updated;
  if (isTrial || rows < LEAST_ROWS) return;
  const written = new Map([[table, rows]]);
  await database.afterCommit(async () => {
    await refreshStatistics(database, { clock, log, written, isThorough: false });
  });
}

const listenImport = (context: Context, plans: RowPlans): Listener => {
  const toPlan = createImportPlans();
  return async function importRows(request, response, { event }) {
    const schema = findSchema(context, request, response);
    if (!schema) return;
    const granted = needReach(context, schema.name, 'import', response);
    if (!granted) return;
    if (granted.rows?.owner !== undefined) return response.refuse(notOwned(schema.plural));
    const sent = request.getStage('rows');
    const feed = sent instanceof RowFeed ? sent.options : undefined;
    if (!feed && (!Array.isArray(sent) || sent.length === 0)) {
      return response.refuse(toInvalid({ rows: noteRule('Data is empty', { rule: 'required' }) }));
    }
    if (!feed && !(await prepareList(context, schema, request, sent as unknown[]))) {
      const message = `A call may import at most ${MOST_PASSWORDS} passwords. Send the rest in another call.`;
      return response.refuse(
        toInvalid({ rows: noteRule(message, { rule: 'limit', params: { max: MOST_PASSWORDS } }) }),
      );
    }
    const plan = toPlan(context, schema, plans);
    const keys = feed ? (feed.keys ?? []) : listKeys(sent as readonly unknown[]);
    if (hasLinks(keys, plan) && !needReach(context, schema.name, 'link', response)) return;
    const isJudged = feed !== undefined || request.isBrought('rows');
    const writable = restrictToWritableKeys(isJudged ? keys : [], plan, granted);
    if ('failure' in writable) return response.refuse(writable.failure);
    const { reach } = writable;
    const task = createTask(context, { request, response, event, reach }, hideMatches(plan), feed);
    const { importer, refused } = task;
    try {
      await (feed ? importFeed(feed, task) : importList(sent as readonly unknown[], task));
    } catch (error) {
      if (!(error instanceof RollbackError)) response.removeResults();
      if (error instanceof RowFailure) return response.refuse(error.failure);
      if (!(error instanceof RollbackError)) throw error;
    }
    if (importer.bad === 0 || task.skipsBad) return refreshPlanner(task, schema);
    if (feed)
      response.refuse({
        status: 422,
        message: `${importer.bad} row${importer.bad === 1 ? ' is' : 's are'} not valid.`,
        code: 'VALIDATION_FAILED',
      });
    else failRows(response, refused);
  };
};

export const systemModelImport = (plans: RowPlans): EventRecord =>
  defineRowEvent({
    name: 'system-model-import',
    description: 'Creates and changes many rows, all or none.',
    keys: () => ({
      ...schemaKey(),
      rows: () =>
        z
          .array(row())
          .describe(
            `List of rows. A key is a column, a field name, or the name of an N:N relation with a list of ids. A row with a known id or unique value is changed. A REST call may set ${MOST_PASSWORDS} passwords at most.`,
          ),
      ignore_unknown: () => z.boolean().optional().describe('true ignores unknown keys.'),
      dry_run: () => z.boolean().optional().describe('true checks every row and writes nothing.'),
    }),
    results: () =>
      z
        .object({
          data: z.array(z.object({ action: z.string(), row: row(), error: z.boolean() })),
          new: z.number(),
          old: z.number(),
          cleaned: z.record(z.string(), z.number()).optional(),
        })
        .describe(
          '`data`: action, row (its id) and error of each row; `new` and `old`: the counts of created and changed rows; `cleaned`: the number of formatted texts that lost tags or attributes, by column.',
        ),
    kind: 'self',
    listen: (context) => listenImport(context, plans),
  });
