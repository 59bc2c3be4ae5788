import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import { cleanAhead, isRich } from '../../model/html-ahead.ts';
import { isRecord } from '../../model/json-value.ts';
import { hashAhead, hashTexts } from '../../model/password-hashes.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';

/** Runs a request's work in one transaction: what ends with an error on the response leaves nothing behind. */
export type Unit = <T>(request: Request, response: Response, work: () => Promise<T>) => Promise<T>;

/** Thrown to roll back what an answer with an error did; never leaves the unit. */
class Refused extends Error {}

const BATCH = 'system-model-batch';
const IMPORT = 'system-model-import';
const STORING: ReadonlySet<string> = new Set([BATCH, IMPORT, 'system-model-create', 'system-model-update']);
const BATCHED = ['create', 'update', 'remove', 'restore'].map((action) => `system-model-${action}`);
const OWN = /^system-(?:model|relation)-/;

/** Whether nothing but data comes of the call's work, so that it may be done again where the server undid it. */
function isRepeatable({ definition: { event }, handler }: CallPlan, { plan: { bus } }: Context): boolean {
  if (handler || !OWN.test(event)) return false;
  return [event, ...(event === BATCH ? BATCHED : [])].every((name) => bus.isOwn(name));
}

/** Events that hash a new password of an account, whose rules of length spare what cannot be one. */
const ACCOUNT: ReadonlySet<string> = new Set(['auth-create', 'auth-reset', 'auth-update']);
const ACCOUNT_CHARACTERS = 256;

/** The rows that a request brings, as far as they are any. */
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
  if (isOne) await hashTexts(request, [password], services.random);
}

/** Hashes the passwords and cleans the HTML that a call's work will store: a transaction has no time for it. */
function compileAhead(call: CallPlan, context: Context): (request: Request) => Promise<void> | undefined {
  const { event } = call.definition;
  const schema = call.schema === undefined ? undefined : context.plan.model.schemas.get(call.schema);
  if (ACCOUNT.has(event) && !call.handler) return (request) => hashAccount(request, context);
  if (!STORING.has(event) || call.handler || !schema) return () => undefined;
  const hasPasswords = schema.columns.some(({ field }) => field.type === 'password');
  if (!hasPasswords && !schema.columns.some(isRich)) return () => undefined;
  const { random, html } = context.services;
  return async (request) => {
    const rows = listRows(event, request);
    if (hasPasswords) await hashAhead(request, schema.columns, rows, random);
    await cleanAhead(request, schema.columns, rows, html);
  };
}

/**
 * Compiles the transaction of a call. On PostgreSQL it is run again where the server undid it for a deadlock, as long as no
 * listener of the project's own is part of it.
 */
export function compileUnit(call: CallPlan, context: Context): Unit {
  const { database } = context.services;
  const prepare = compileAhead(call, context);
  return async (request, response, work) => {
    await prepare(request);
    const headers = Object.entries(response.getHeaders());
    const done: { value?: { readonly result: Awaited<ReturnType<typeof work>> }; tries: number } = { tries: 0 };
    const run = async (): Promise<Awaited<ReturnType<typeof work>>> => {
      done.tries += 1;
      if (done.tries > 1) {
        response.load();
        for (const [name, value] of headers) response.addHeader(name, value);
      }
      const result = await work();
      done.value = { result };
      if (response.isError()) throw new Refused();
      return result;
    };
    const isAgain = database.dialect === 'postgres' && isRepeatable(call, context);
    try {
      return await (isAgain ? database.write(run) : database.transaction(run));
    } catch (error) {
      if (error instanceof Refused && done.value) return done.value.result;
      throw error;
    }
  };
}
