import { type Access, findSurelyReadable, getAccess } from '../core/access.ts';
import { TreadleError } from '../core/errors.ts';
import { KeyQueue } from '../core/key-queue.ts';
import { memoize } from '../core/memoize.ts';
import { toObject } from '../core/record.ts';
import { Request } from '../core/request/request.ts';
import { Response } from '../core/request/response.ts';
import { currentScope, type Unit } from '../core/scope.ts';
import type { Database } from '../database/database.ts';
import type { Row } from '../database/row-statement.ts';
import { hashAhead, shareHashes } from '../model/field/password-hashes.ts';
import { isRecord } from '../model/json/json-value.ts';
import type { Model, SchemaModel } from '../model/model.ts';
import { findOwnerColumn } from '../model/role/owner-column.ts';
import { getSearcher } from '../store/read/searcher.ts';
import { findHolderInTurn, toKeyText } from '../store/write/row-sql.ts';
import type { App } from './app.ts';
import type { UpsertResult } from './emit/typed-emit.ts';
import { refuseFailed } from './emit/unit.ts';
import type { Context } from './feature.ts';
import { type OwnFacts, type OwnParts, setOwnFacts } from './own-facts.ts';
import { checkUpsert } from './upsert-key.ts';

/** How often a row of the same key may come in between. */
const MOST_TRIES = 8;

/** Calls of one key wait for each other here, where they take neither the writer nor a connection while they wait. */
const getQueue = memoize((_database: Database) => new KeyQueue());

type Values = Readonly<Record<string, unknown>>;

interface Task {
  readonly context: Context;
  readonly emit: OwnParts['emit'];
  readonly schema: SchemaModel;
  /** The values of the key as answers have them; undefined where one is of a wrong type, so that no row has it. */
  readonly stored: Row | undefined;
  readonly key: Values;
  readonly values: Values;
  /** Has the hashes of the passwords. */
  readonly base: Request;
}

/** Thrown to undo what a refused event has written so far. */
class UpsertRefusal extends Error {
  readonly response: Response;
  readonly isNew: boolean;

  constructor(response: Response, isNew: boolean) {
    super(response.getMessage());
    this.response = response;
    this.isNew = isNew;
  }
}

async function emitWrite(task: Task, event: string, stage: Values, facts: OwnFacts): Promise<Row> {
  const request = new Request().setStage({ ...stage, schema: task.schema.name });
  setOwnFacts(request, facts);
  shareHashes(task.base, request);
  const response = new Response(request);
  await task.emit(event, request, response);
  if (response.isError()) throw new UpsertRefusal(response, event === 'system-model-create');
  const { original: _, ...row } = toObject(response.getResults());
  return row;
}

/** Only a row's primary key finds it once it is removed: the unique rules are about the others. Who may not change it learns nothing of it. */
async function refuseRemoved({ context, schema, key }: Task, id: number): Promise<TreadleError> {
  const { plan, services } = context;
  const grant = getAccess().grant(schema.name, 'update');
  const reached = grant && (await getSearcher(plan.model).reached(services.database, schema.name, [id], grant.rows));
  if (reached?.has(id) !== true)
    return new TreadleError('UPSERT_REFUSED', `The ${schema.name} was not written: Not Found`, { status: 404 });
  const message = `${schema.singular} ${String(key[schema.primary])} is removed.`;
  return new TreadleError('UPSERT_REFUSED', message, {
    status: 409,
    hint: 'Restore it first: app.emit("system-model-restore", …).',
  });
}

/** Creates the row, or changes the one that is there and stays locked until the transaction ends. */
async function writeOnce(task: Task, isInside: boolean): Promise<UpsertResult<Row>> {
  const { context, schema, stored, key, values } = task;
  const holder = stored && (await findHolderInTurn(context.services.database, schema, stored, isInside));
  if (holder?.isActive === false) throw await refuseRemoved(task, holder.id);
  if (holder !== undefined) {
    const row = await emitWrite(task, 'system-model-update', { ...values, [schema.primary]: holder.id }, {});
    return { row, isNew: false };
  }
  const given = stored?.[schema.primary];
  const id = given === undefined ? undefined : Number(given);
  const row = await emitWrite(task, 'system-model-create', { ...values, ...key }, { upsert: { id } });
  return { row, isNew: true };
}

/** In a transaction of its own, or a savepoint of the open one: what is refused undoes itself alone. */
async function writeApart(task: Task): Promise<UpsertResult<Row>> {
  const scope = currentScope.getStore() ?? {};
  const { database } = task.context.services;
  const isInside = database.isInTransaction;
  const write = (): Promise<UpsertResult<Row>> => database.write(() => writeOnce(task, isInside), { isAlone: true });
  if (scope.unit === undefined) return write();
  refuseFailed(scope.unit);
  const unit: Unit = { failed: undefined };
  const written = await currentScope.run({ ...scope, unit }, write);
  // A listener's write has failed, and the listener went on.
  scope.unit.failed ??= unit.failed;
  return written;
}

/** True if a row of the same key came in between: the next try finds it. */
function isTaken({ schema, key }: Task, { response, isNew }: UpsertRefusal): boolean {
  if (!isNew || response.getStatus() !== 409) return false;
  const messages = toObject(response.getValidation());
  return Object.keys(key).every((name) => name === schema.primary || Object.hasOwn(messages, name));
}

/** In a user call the token's user owns what is written, whatever the key says. */
function withOwner({ schemas }: Model, access: Access, name: string, key: unknown): unknown {
  const owner = access.grant(name, 'create')?.rows?.owner;
  const schema = schemas.get(name);
  if (owner === undefined || schema === undefined || !isRecord(key)) return key;
  const column = findOwnerColumn(schema);
  return column === undefined || column === schema.primary || !Object.hasOwn(key, column)
    ? key
    : { ...key, [column]: owner };
}

/** A column that may not be read names no row: the result would tell which row has that value. @throws UPSERT_REFUSED (403) */
function checkReadable(access: Access, { name, byName }: SchemaModel, key: Values): void {
  if (access.kind === 'none') return;
  const readable = findSurelyReadable(access, name);
  const hidden = Object.keys(key).find((column) => byName.has(column) && readable?.has(column) === false);
  if (hidden === undefined) return;
  throw new TreadleError('UPSERT_REFUSED', `"${hidden}" cannot be the key of who may not read it.`, {
    status: 403,
    hint: 'Let a role read it, or call app.asSystem(() => app.upsert(…)).',
  });
}

function toRefusal({ schema }: Task, { response }: UpsertRefusal): TreadleError {
  return new TreadleError('UPSERT_REFUSED', `The ${schema.name} was not written: ${response.getMessage()}`, {
    status: response.getStatus() ?? 422,
    detail: response.getValidation(),
  });
}

/** Tries until no other row comes in between. */
async function write(task: Task): Promise<UpsertResult<Row>> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await writeApart(task);
    } catch (error) {
      if (!(error instanceof UpsertRefusal)) throw error;
      if (tries >= MOST_TRIES || !isTaken(task, error)) throw toRefusal(task, error);
    }
  }
}

/** Creates `app.upsert`. */
export function createUpsert({ context, emit }: OwnParts): App['upsert'] {
  const upsert = async (name: string, key: unknown, values: unknown = {}): Promise<UpsertResult<Row>> => {
    const active = context();
    const { services, plan } = active;
    const access = getAccess();
    const input = { name, key: withOwner(plan.model, access, name, key), values, now: services.clock.now() };
    const checked = checkUpsert(plan.model, input);
    checkReadable(access, checked.schema, checked.key);
    const base = new Request();
    await hashAhead(base, checked.schema.columns, [checked.values], services.passwords);
    const task: Task = { ...checked, context: active, emit, base };
    const { database } = services;
    // In a transaction it may hold what the call before it in the queue waits for.
    if (task.stored === undefined || database.isInTransaction) return write(task);
    return getQueue(database).run(toKeyText(task.schema, task.stored), () => write(task));
  };
  return upsert as App['upsert'];
}
