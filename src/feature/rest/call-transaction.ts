import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { cleanAhead, isRich } from '../../model/field/html-ahead.ts';
import { hashAhead, hashTexts } from '../../model/field/password-hashes.ts';
import { isRecord } from '../../model/json/json-value.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';

/** Runs a request's work in one transaction. An error on the response rolls it back. */
export type Unit = <T>(request: Request, response: Response, work: () => Promise<T>) => Promise<T>;

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

/** Events that hash an account's new password. Longer texts are refused later, so they are not hashed. */
const ACCOUNT: ReadonlySet<string> = new Set(['auth-create', 'auth-reset', 'auth-update']);
const ACCOUNT_CHARACTERS = 256;

/** The rows in a request. */
function listRows(event: string, request: Request): unknown[] {
  if (event !== BATCH && event !== IMPORT) return [request.getStage()];
  const listed = request.getStage(event === BATCH ? 'operations' : 'rows');
  if (!Array.isArray(listed)) return [];
  return event === BATCH ? listed.filter(isRecord).map(({ values }) => values) : listed;
}

/** Hashes the new password of an account. */
async function hashAccount(request: Request, { services }: Context): Promise<void> {
  const password = request.getStage('auth_password');
  const isOne = typeof password === 'string' && password !== '' && password.length <= ACCOUNT_CHARACTERS;
  if (isOne) await hashTexts(request, [password], services.passwords);
}

/** Hashes passwords and cleans HTML before the transaction, which must stay short. */
function compileAhead(call: CallPlan, context: Context): (request: Request) => Promise<void> | undefined {
  const { event } = call.definition;
  const schema = call.schema === undefined ? undefined : context.plan.model.schemas.get(call.schema);
  if (ACCOUNT.has(event) && !call.handler) return (request) => hashAccount(request, context);
  if (!STORING.has(event) || call.handler || !schema) return () => undefined;
  const hasPasswords = schema.columns.some(({ field }) => field.type === 'password');
  if (!hasPasswords && !schema.columns.some(isRich)) return () => undefined;
  const { passwords, html } = context.services;
  return async (request) => {
    const rows = listRows(event, request);
    if (hasPasswords) await hashAhead(request, schema.columns, rows, passwords);
    await cleanAhead(request, schema.columns, rows, html);
  };
}

/**
 * Compiles the transaction of a call. On PostgreSQL it runs again after a deadlock, unless project listeners
 * take part.
 */
export function compileCallTransaction(call: CallPlan, context: Context): Unit {
  const { database } = context.services;
  const prepare = compileAhead(call, context);
  return async (request, response, work) => {
    await prepare(request);
    const headers = Object.entries(response.getHeaders());
    // An `after` listener may have changed the stage.
    const restore = context.plan.bus.followers.hasFollower(call.definition.event) ? request.record() : () => {};
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
    const isAgain = database.writesInParallel && isRepeatable(call, context);
    try {
      return await (isAgain ? database.write(run) : database.transaction(run));
    } catch (error) {
      if (error instanceof RefusalError && done.value) return done.value.result;
      throw error;
    }
  };
}
