import { once } from '../../core/memoize.ts';
import { toObject } from '../../core/record.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { translate } from '../../core/text/translate.ts';
import { cleanAhead, isRich } from '../../model/field/html-ahead.ts';
import { hashAhead, hashTexts, MOST_PASSWORDS } from '../../model/field/password-hashes.ts';
import { isRecord } from '../../model/json/json-value.ts';
import type { ColumnModel } from '../../model/model.ts';
import { type ChildRelation, listChildRelations } from '../../plan/call/batch.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';
import { listSentRelations } from './batch/child.ts';
import { isOwnRoute } from './batch/item.ts';
import { refuse } from './errors.ts';

/** Runs a request's work in one transaction. An error on the response rolls it back. Undefined if the request was refused before. */
export type Unit = <T>(request: Request, response: Response, work: () => Promise<T>) => Promise<T | undefined>;

/** Thrown to roll back after an error on the response; caught by the unit. */
class RefusalError extends Error {}

const BATCH = 'system-model-batch';
const IMPORT = 'system-model-import';
const STORING: ReadonlySet<string> = new Set([BATCH, IMPORT, 'system-model-create', 'system-model-update']);
const BATCHED = ['create', 'update', 'remove', 'restore'].map((action) => `system-model-${action}`);
const OWN = /^system-(?:model|relation)-/;

/** True if the work changes only data in the database, so that it can be repeated after a deadlock. */
function isRepeatable({ definition: { event }, handler }: CallPlan, { plan: { bus } }: Context): boolean {
  if (handler || !OWN.test(event)) return false;
  return [event, ...(event === BATCH ? BATCHED : [])].every((name) => bus.isOwn(name));
}

/** The same of the children that may come with it. */
const areRepeatable = (relations: readonly ChildRelation[], context: Context): boolean =>
  relations
    .flatMap(({ creates, updates }) => [...creates, ...updates])
    .every((call) => isRepeatable(call, context) && isOwnRoute(context, call));

/** Events that hash an account's new password. Longer texts are refused later, so they are not hashed. */
const ACCOUNT: ReadonlySet<string> = new Set(['auth-create', 'auth-reset', 'auth-update']);
const ACCOUNT_CHARACTERS = 256;

/** The rows in a request. */
function listRows(event: string, request: Request, children: readonly ChildRelation[]): unknown[] {
  if (event !== BATCH && event !== IMPORT)
    return [request.getStage(), ...children.flatMap(({ name }) => request.getPost(name) ?? [])];
  const listed = request.getStage(event === BATCH ? 'operations' : 'rows');
  if (!Array.isArray(listed)) return [];
  return event === BATCH ? listed.filter(isRecord).map(({ values }) => values) : listed;
}

/** Hashes the new password of an account. */
async function hashAccount(request: Request, { services }: Context): Promise<boolean> {
  const password = request.getStage('auth_password');
  const isOne = typeof password === 'string' && password !== '' && password.length <= ACCOUNT_CHARACTERS;
  return !isOne || hashTexts(request, [password], services.passwords);
}

/** Hashes passwords and cleans HTML before the transaction, which must stay short. */
function compileAhead(call: CallPlan, context: Context): UnitOptions['prepare'] {
  const { event } = call.definition;
  const schema = call.schema === undefined ? undefined : context.plan.model.schemas.get(call.schema);
  if (ACCOUNT.has(event) && !call.handler) return (request) => hashAccount(request, context);
  if (!STORING.has(event) || call.handler || !schema) return () => undefined;
  const children = listChildRelations(call, context.plan);
  const columns = [schema, ...children.map(({ target }) => target)].flatMap((written) => written.columns);
  if (!columns.some((column) => isSlow(column))) return () => undefined;
  return async (request, response) => {
    const isPrepared = await prepareRows(request, columns, listRows(event, request, children), context);
    // The events of a batch and of an import refuse too many themselves.
    return isPrepared || children.length === 0 || refusePasswords(response);
  };
}

/** Refuses more passwords than one request may set. */
export function refusePasswords(response: Response): false {
  const text = 'One request may set at most {most} passwords. Send the rest in another one.';
  const message = translate(text, { most: MOST_PASSWORDS });
  return refuse(response, { status: 422, message, code: 'REST_PASSWORDS_TOO_MANY' });
}

const isSlow = (column: ColumnModel): boolean => column.field.type === 'password' || isRich(column);

/** Hashes the passwords and cleans the long HTML of rows. False, with nothing hashed, for more passwords than a request may set. */
export async function prepareRows(
  request: Request,
  columns: readonly ColumnModel[],
  rows: readonly unknown[],
  { services: { passwords, html } }: Context,
): Promise<boolean> {
  const isHashed = await hashAhead(request, columns, rows, passwords);
  await cleanAhead(request, columns, rows, html);
  return isHashed;
}

/** What decides how a transaction of a request runs. */
export interface UnitOptions {
  /** Does what takes long, before the transaction. False if it refused the request. */
  prepare(request: Request, response: Response): Promise<boolean> | undefined;
  /** Whether only data in the database changes, so that PostgreSQL may run it again after a deadlock. */
  isRepeatable(request: Request): boolean;
  /** Whether an `after` listener may change the stage. */
  readonly hasFollower: () => boolean;
}

/** Makes the transaction of requests. */
export function createUnit({ services: { database } }: Context, options: UnitOptions): Unit {
  return async (request, response, work) => {
    if ((await options.prepare(request, response)) === false) return undefined;
    const headers = Object.entries(response.getHeaders());
    const restore = options.hasFollower() ? request.record() : () => {};
    const done: { value?: { readonly result: Awaited<ReturnType<typeof work>> }; tries: number } = { tries: 0 };
    const run = async (): Promise<Awaited<ReturnType<typeof work>>> => {
      done.tries += 1;
      if (done.tries > 1) {
        restore();
        response.load();
        for (const [name, value] of headers) response.addHeader(name, value);
      }
      const result = await work();
      done.value = { result };
      if (response.isError()) throw new RefusalError();
      return result;
    };
    const isAgain = database.writesInParallel && options.isRepeatable(request);
    try {
      return await (isAgain ? database.write(run) : database.transaction(run));
    } catch (error) {
      if (error instanceof RefusalError && done.value) return done.value.result;
      throw error;
    }
  };
}

/**
 * Compiles the transaction of a call. On PostgreSQL it runs again after a deadlock, unless project listeners
 * take part.
 */
export function compileCallTransaction(call: CallPlan, context: Context): Unit {
  const { event } = call.definition;
  const isOwn = once(() => isRepeatable(call, context));
  return createUnit(context, {
    prepare: compileAhead(call, context),
    isRepeatable(request) {
      if (!isOwn()) return false;
      return areRepeatable(
        listSentRelations(listChildRelations(call, context.plan), toObject(request.getPost())),
        context,
      );
    },
    hasFollower: () => context.plan.bus.followers.hasFollower(event),
  });
}
