import type { Listener } from '../../../core/bus/followers.ts';
import { compose } from '../../../core/compose.ts';
import { continueWith } from '../../../core/continue-with.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { noteRule } from '../../../core/text/rule-note.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { type Batch, listChildRelations, toBatchCall } from '../../../plan/call/batch.ts';
import type { Context } from '../../../plan/feature.ts';
import { compileAnswer } from '../answer.ts';
import { compileAuthentication } from '../authenticate.ts';
import type { CallState } from '../call.ts';
import { type CallExchange, type CallStep, PUBLIC } from '../call-step.ts';
import { createUnit, prepareRows, refusePasswords, type Unit } from '../call-transaction.ts';
import { toMark } from '../cors.ts';
import { removeCredentials } from '../credentials.ts';
import { refuse } from '../errors.ts';
import { compileIdempotency } from '../idempotency.ts';
import { listSentRelations } from './child.ts';
import { type ItemLocation, tellFailure } from './failure.ts';
import { type Item, isFailed, isOwnRoute, runItem } from './item.ts';
import { type BatchItem, countItems, findItems, isSegment, readItems, toMissing } from './read.ts';
import { readReference, replaceReferences } from './reference.ts';

/** An item that was done. */
interface ItemResult {
  readonly id?: string;
  readonly call: string;
  readonly status: number;
  /** Version of the row, for the next `ifMatch`. */
  readonly etag?: string;
  readonly results: unknown;
}

/** Thrown for a reference that leads nowhere; caught where the item is read. */
class ReferenceFailure extends Error {
  readonly at: readonly string[];

  constructor(message: string, at: readonly string[]) {
    super(message);
    this.at = at;
  }
}

type Results = ReadonlyMap<string, unknown>;

/** A JSON value of its own: two items must not share an object. */
const copyJson = (value: unknown): unknown => (typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value);

/** A value with the results of earlier items in place of its references. @throws ReferenceFailure */
const resolve = (value: unknown, results: Results, part: string): unknown =>
  replaceReferences(value, (reference, path) => {
    const { id = '', column = '' } = readReference(reference) ?? {};
    const row = results.get(id);
    if (!isRecord(row) || !Object.hasOwn(row, column) || row[column] === undefined)
      throw new ReferenceFailure(toMissing(id, column), [part, ...path]);
    if (part === 'path' && !isSegment(row[column]))
      throw new ReferenceFailure('A parameter of a path must be a text or a number.', [part, ...path]);
    return copyJson(row[column]);
  });

function toItem({ call, path, body, ifMatch }: BatchItem, results: Results): Item {
  const parameters = Object.entries(resolve(path, results, 'path') as object);
  return {
    call,
    parameters: Object.fromEntries(parameters.map(([name, value]) => [name, String(value)])),
    body: resolve(body, results, 'body') as Item['body'],
    ifMatch,
  };
}

const toLocation = ({ call }: BatchItem, at: readonly string[]): ItemLocation => ({
  at,
  toColumn: (column) =>
    column === 'ifMatch' ? [column] : [call.parameters.includes(column) ? 'path' : 'body', column],
  name: `${at.join('.')} (${call.name})`,
});

/** Runs the items in order. The first that fails refuses the whole request. */
async function runItems(context: Context, { request, response, caller }: CallExchange, items: readonly BatchItem[]) {
  const { at } = findItems(request);
  const results = new Map<string, unknown>();
  const done: ItemResult[] = [];
  for (const [index, given] of items.entries()) {
    const place = [...at, String(index)];
    const location = toLocation(given, place);
    const item = findItem(given, results, response, location);
    if (item === undefined) return;
    const answer = await runItem(context, { request, caller }, item);
    if (isFailed(answer)) return tellFailure(response, answer, item, location);
    const { id, call } = given;
    const etag = answer.getHeaders('etag');
    const row: unknown = answer.getResults() ?? null;
    if (id !== undefined) results.set(id, row);
    const status = answer.getStatus();
    done.push({ ...(id && { id }), call: call.name, status, ...(typeof etag === 'string' && { etag }), results: row });
  }
  response.succeed(done);
}

/** The item with its references replaced. Undefined if one leads nowhere: then the request is refused. */
function findItem(
  given: BatchItem,
  results: Results,
  response: Response,
  { at, name }: ItemLocation,
): Item | undefined {
  try {
    return toItem(given, results);
  } catch (error) {
    if (!(error instanceof ReferenceFailure)) throw error;
    response.addValidation(...at, ...error.at, noteRule(error.message, { rule: 'reference' }));
    refuse(response, { status: 400, message: `${name}: ${error.message}`, code: 'REST_BATCH_INVALID' });
    return undefined;
  }
}

/** Hashes passwords and cleans HTML of all items and their children. */
async function prepare(context: Context, items: readonly BatchItem[], request: Request, response: Response) {
  const { schemas } = context.plan.model;
  const written = new Set<SchemaModel>();
  const rows: unknown[] = [];
  for (const { call, body } of items) {
    const schema = schemas.get(call.schema ?? '');
    if (!schema || body === undefined) continue;
    const relations = listChildRelations(call, context.plan);
    for (const one of [schema, ...relations.map(({ target }) => target)]) written.add(one);
    rows.push(body, ...relations.flatMap(({ name }) => body[name] ?? []));
  }
  const columns = [...written].flatMap((schema) => schema.columns);
  return (await prepareRows(request, columns, rows, context)) || refusePasswords(response);
}

/** The transaction of a batch. `itemsOf` finds the items that the step `stage` has read. */
function compileUnit(context: Context, itemsOf: (request: Request) => readonly BatchItem[]): Unit {
  const { bus } = context.plan;
  const isOwn = ({ call, body = {} }: BatchItem): boolean => {
    const sent = listSentRelations(listChildRelations(call, context.plan), body);
    const children = sent.flatMap(({ creates, updates }) => [...creates, ...updates]);
    return [call, ...children].every((one) => bus.isOwn(one.definition.event) && isOwnRoute(context, one));
  };
  return createUnit(context, {
    prepare: (request, response) => prepare(context, itemsOf(request), request, response),
    isRepeatable: (request) => itemsOf(request).every(isOwn),
    hasFollower: () => false,
  });
}

/** The steps of a batch, with the names that those of a call have. */
function listSteps(batch: Batch, context: Context, { corsOf }: CallState): CallStep[] {
  const call = toBatchCall(batch);
  const cors = corsOf(context);
  const mark = toMark(cors, batch.access);
  const complete = compileAnswer(call, context);
  const known = new WeakMap<Request, readonly BatchItem[]>();
  const itemsOf = (request: Request): readonly BatchItem[] => known.get(request) ?? [];
  const unit = compileUnit(context, itemsOf);
  const count = (request: Request): number => Math.max(1, countItems(findItems(request), batch, context));
  const steps: (CallStep | undefined)[] = [
    { name: 'cors', run: (x, next) => continueWith(mark(x.request, x.response), () => next(x)) },
    // Each item asks for the scope of its own call.
    ...compileAuthentication(call, context, count).filter(({ name }) => name !== 'scope'),
    {
      name: 'origin',
      run(x, next) {
        cors.withdraw(x.response, x.caller.actor);
        return next(x);
      },
    },
    {
      name: 'stage',
      run(x, next) {
        removeCredentials(x.request);
        x.request.set('actor', x.caller.actor);
        const items = readItems(batch, context, x.request, x.response);
        if (items === undefined) return false;
        known.set(x.request, items);
        return next(x);
      },
    },
    compileIdempotency(call, context, unit),
    {
      name: 'emit',
      run: (x, next) => unit(x.request, x.response, () => runItems(context, x, itemsOf(x.request))).then(() => next(x)),
    },
    { name: 'complete', run: (x) => complete(x.request, x.response) },
  ];
  return steps.filter((step) => step !== undefined);
}

/** Compiles a batch to its listener. */
export function compileBatch(batch: Batch, context: Context, state: CallState): Listener {
  const run = compose<CallExchange>(listSteps(batch, context, state));
  return (request, response, meta) => run({ request, response, meta, caller: PUBLIC });
}
