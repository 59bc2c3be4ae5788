import { TreadleError } from '../../core/errors.ts';
import { currentScope, type Scope, type Unit, type Watch } from '../../core/scope.ts';
import type { Database } from '../../database/database.ts';
import type { TransactionOptions } from '../app.ts';
import type { Draft } from '../draft.ts';
import { isRolledBack, refuseFailed } from './unit.ts';
import { watchWork } from './work-watch.ts';

/** Thrown to roll back after an expected failure; caught by {@link runTransaction}. */
class Rollback extends Error {}

const MOST_ATTEMPTS = 20;

function checkAttempts(attempts: number): void {
  if (Number.isSafeInteger(attempts) && attempts >= 1 && attempts <= MOST_ATTEMPTS) return;
  throw new TreadleError('TRANSACTION_ATTEMPTS', `"attempts" is ${attempts}.`, {
    hint: `Give a whole number from 1 to ${MOST_ATTEMPTS}.`,
  });
}

/** Records the exchange's request and response; the function puts them back as they were. */
function recordExchange({ request, response }: Scope): () => void {
  const restores = [request?.record(), response?.record()];
  return () => {
    for (const restore of restores) restore?.();
  };
}

/** Runs a serializable transaction again after each conflict, until the attempts are used up. */
async function runAgain<T>(database: Database, run: () => Promise<T>, attempts: number): Promise<T> {
  if (!database.writesInParallel) return database.transaction(run);
  if (database.isInTransaction) {
    if (currentScope.getStore()?.watch?.isSerializable) return database.transaction(run);
    throw new TreadleError('TRANSACTION_NESTED', 'A serializable transaction was opened inside another transaction.', {
      hint: 'Open it outermost. A REST call with an Idempotency-Key is in a transaction already: there, use app.lock(key).',
    });
  }
  const restore = recordExchange(currentScope.getStore() ?? {});
  for (let tries = 1; ; tries += 1) {
    try {
      return await database.serializable(run);
    } catch (error) {
      if (tries >= attempts || !database.mayRepeat(error)) throw error;
      restore();
    }
  }
}

/** @see App.transaction */
export async function runTransaction<T>(
  draft: Draft,
  fn: () => Promise<T>,
  { attempts, findPlace }: TransactionOptions & Pick<Watch, 'findPlace'>,
): Promise<T> {
  const { database } = draft.context().services;
  if (attempts !== undefined) checkAttempts(attempts);
  const state: { value?: { readonly result: T } } = {};
  const run = async (): Promise<T> => {
    const scope = currentScope.getStore() ?? {};
    refuseFailed(scope.unit);
    const unit: Unit = { failed: undefined };
    const errorCount = scope.response?.errorCount;
    const watch = scope.watch ?? watchWork(findPlace, attempts !== undefined);
    const result = await currentScope.run({ ...scope, unit, watch }, fn);
    state.value = { result };
    const isRefused = scope.response?.isError() === true && scope.response.errorCount !== errorCount;
    if (isRolledBack(unit) || isRefused) throw new Rollback();
    return result;
  };
  try {
    return await (attempts === undefined ? database.transaction(run) : runAgain(database, run, attempts));
  } catch (error) {
    if (error instanceof Rollback && state.value) return state.value.result;
    throw error;
  }
}

const MOST_KEY = 255;

/** @see App.lock */
export async function takeLock(draft: Draft, key: string): Promise<void> {
  const { database } = draft.context().services;
  if (typeof key !== 'string' || key === '' || key.length > MOST_KEY) {
    throw new TreadleError('LOCK_KEY', 'The key of a lock is not a text of 1 to 255 characters.', {
      hint: "Name what is guarded, such as app.lock('talk 7').",
    });
  }
  if (!database.isInTransaction) {
    throw new TreadleError('LOCK_OUTSIDE', `app.lock('${key}') was called outside a transaction.`, {
      hint: 'Call it inside app.transaction or in an app.after listener: the transaction holds the lock until its end.',
    });
  }
  const watch = currentScope.getStore()?.watch;
  if (watch?.isSerializable) {
    throw new TreadleError('LOCK_SERIALIZABLE', `app.lock('${key}') was called in a transaction with attempts.`, {
      hint: 'Its snapshot is older than the wait for the lock. Use one of the two: a lock, or { attempts }.',
    });
  }
  if (watch) watch.isLocked = true;
  await database.lock(key);
}
