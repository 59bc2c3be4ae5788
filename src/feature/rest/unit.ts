import type { Response } from '../../core/response.ts';
import type { Database } from '../../database/database.ts';

/** Thrown to roll back what an answer with an error did; never leaves {@link runUnit}. */
class Refused extends Error {}

/** Runs a request's work in one transaction: what ends with an error on the response leaves nothing behind. */
export async function runUnit<T>(database: Database, response: Response, work: () => Promise<T>): Promise<T> {
  const done: { value?: { readonly result: T } } = {};
  try {
    return await database.transaction(async () => {
      const result = await work();
      done.value = { result };
      if (response.isError()) throw new Refused();
      return result;
    });
  } catch (error) {
    if (error instanceof Refused && done.value) return done.value.result;
    throw error;
  }
}
