import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import { isRecord } from '../../model/json-value.ts';
import { hashAhead } from '../../model/password-hashes.ts';
import type { CallPlan, Context } from '../../plan/feature.ts';

/** Runs a request's work in one transaction: what ends with an error on the response leaves nothing behind. */
export type Unit = <T>(request: Request, response: Response, work: () => Promise<T>) => Promise<T>;

/** Thrown to roll back what an answer with an error did; never leaves the unit. */
class Refused extends Error {}

const BATCH = 'system-model-batch';
const BATCHED = ['create', 'update', 'remove', 'restore'].map((action) => `system-model-${action}`);
const OWN = /^system-(?:model|relation)-/;

/** Whether nothing but data comes of the call's work, so that it may be done again where the server undid it. */
function isRepeatable({ definition: { event }, handler }: CallPlan, { plan: { bus } }: Context): boolean {
  if (handler || !OWN.test(event)) return false;
  return [event, ...(event === BATCH ? BATCHED : [])].every((name) => bus.isOwn(name));
}

/** Hashes the passwords that a call's work will store: a transaction has no time for it. */
function compileHashing(call: CallPlan, context: Context): (request: Request) => Promise<unknown> | undefined {
  const { event } = call.definition;
  const schema = call.schema === undefined ? undefined : context.plan.model.schemas.get(call.schema);
  const isStoring = event === BATCH || event === 'system-model-create' || event === 'system-model-update';
  if (!isStoring || call.handler || !schema?.columns.some(({ field }) => field.type === 'password'))
    return () => undefined;
  const { random } = context.services;
  return (request) => {
    const operations = event === BATCH ? request.getStage('operations') : undefined;
    const listed = Array.isArray(operations) ? operations.filter(isRecord).map(({ values }) => values) : [];
    const rows = event === BATCH ? listed : [request.getStage()];
    return hashAhead(request, schema.columns, rows, random);
  };
}

/**
 * Compiles the transaction of a call. On PostgreSQL it is run again where the server undid it for a deadlock, as long as no
 * listener of the project's own is part of it.
 */
export function compileUnit(call: CallPlan, context: Context): Unit {
  const { database } = context.services;
  const hash = compileHashing(call, context);
  return async (request, response, work) => {
    await hash(request);
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
