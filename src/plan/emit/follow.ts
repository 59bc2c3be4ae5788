import type { Follower } from '../../core/bus/followers.ts';
import type { Response } from '../../core/request/response.ts';
import { currentScope } from '../../core/scope.ts';
import { isRecord } from '../../model/json/json-value.ts';
import type { EventExchange } from '../feature.ts';
import { type WorkWatch, watchWork } from './work-watch.ts';

/** Thrown to roll back a change that an `after` listener refused on its response; caught by the emit. */
export class RevertedError extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super('An after listener set an error.');
    this.response = response;
  }
}

type Values = Readonly<Record<string, unknown>>;
const NOTHING: Values = Object.freeze({});

/** Top-level keys of the results that differ from those before. */
function findChanges(before: unknown, now: unknown): Values {
  if (!isRecord(now)) return NOTHING;
  const known = isRecord(before) ? before : NOTHING;
  return Object.fromEntries(Object.entries(now).filter(([key, value]) => known[key] !== value));
}

/**
 * Runs the listeners that follow an event, inside its transaction.
 *
 * @returns What they changed in the results.
 * @throws RevertedError if one of them set an error.
 */
export async function follow(
  followers: readonly Follower[],
  exchange: EventExchange,
  watching: WorkWatch,
): Promise<Values> {
  if (followers.length === 0) return NOTHING;
  const { event, request, response } = exchange;
  const results: unknown = response.getResults();
  const before = isRecord(results) ? { ...results } : results;
  for (const { listener, place } of followers) {
    const errorCount = response.errorCount;
    const watch = currentScope.getStore()?.watch ?? watchWork(() => place);
    const result = await currentScope.run({ ...currentScope.getStore(), watch }, () =>
      listener(request, response, { event, variables: [] }),
    );
    if (response.errorCount !== errorCount) {
      watching.noteVeto(watch, place);
      throw new RevertedError(response);
    }
    if (result === false) break;
  }
  return findChanges(before, response.getResults());
}
