import { type Access, runAs, SYSTEM } from '../../../src/core/access.ts';
import { systemRandom } from '../../../src/core/clock.ts';
import { silentLog } from '../../../src/core/log/log.ts';
import { Memory } from '../../../src/core/memory.ts';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import { systemPasswords } from '../../../src/core/secret/password.ts';
import { schema } from '../../../src/feature/schema/index.ts';
import type { Context, Facts } from '../../../src/plan/feature.ts';
import { clock, fill, type World, withWorld } from '../../store/read/_world.ts';

export interface Bench extends World {
  /** Runs an event of the feature with a new request and response. */
  emit(
    event: string,
    stage: Record<string, unknown>,
    access?: Access,
    prepare?: (request: Request) => void,
  ): Promise<Response>;
  /** Committed events, with the results at that moment. */
  readonly committed: { readonly event: string; readonly results: unknown }[];
  /** If set, thrown to test that a write is rolled back. */
  readonly trap: { error: Error | undefined };
  /**
   * Whether a commit listener hears of changes; otherwise `committed` stays empty. Default true. `others`: also of rows that an event
   * writes beside its own. Default false.
   */
  readonly commits: { isHeard: boolean; others: boolean };
}

/** The feature over the blog's database, or over an empty one with other schemas, without the rest of a plan. */
export async function onBench(fn: (bench: Bench) => Promise<void>, schemas?: readonly unknown[]): Promise<void> {
  const run = async (world: World): Promise<void> => {
    if (schemas === undefined) await fill(world);
    const committed: Bench['committed'] = [];
    const trap: Bench['trap'] = { error: undefined };
    const commits: Bench['commits'] = { isHeard: true, others: false };
    const emitted = new Set<string>();
    const context = {
      memory: new Memory(),
      plan: { model: world.model, calls: [], bus: { followers: { hasFollower: () => false } } },
      services: { database: world.database, clock, random: systemRandom, passwords: systemPasswords, log: silentLog },
      async committing(event: string, _request: Request, response: Response) {
        if (!world.database.isInTransaction) throw new Error('outside of the write');
        if (trap.error) throw trap.error;
        committed.push({ event, results: response.getResults() });
        return {};
      },
      hasListener: (event: string) => commits.isHeard && (commits.others || emitted.has(event)),
      write: (_: unknown, unit: () => Promise<void>) => world.database.write(unit),
    } as unknown as Context;
    const { events = [] } = schema.contribute({ model: world.model } as unknown as Facts);
    const listeners = new Map(events.map(({ name, listen }) => [name, listen(context)]));
    const emit: Bench['emit'] = async (event, stage, access = SYSTEM, prepare) => {
      const request = new Request();
      const response = new Response(request);
      emitted.clear();
      emitted.add(event);
      request.setStage(stage);
      prepare?.(request);
      await runAs(access, async () => listeners.get(event)?.(request, response, { event, variables: [] }));
      return response;
    };
    await fn({ ...world, emit, committed, trap, commits });
  };
  await withWorld(run, false, schemas);
}

/** The errors of a failed response. */
export const told = (response: Response) => ({
  status: response.getStatus(),
  message: response.getMessage(),
  validation: response.getValidation(),
  results: response.getResults(),
});

/** The rows that a refused write must not change. */
export const readAll = async ({ database }: Bench): Promise<string> => {
  const tables = { article: 'article_id', comment: 'comment_id', article_topic: 'topic_id' };
  const rows = Object.entries(tables).map(([table, key]) =>
    database.kysely.selectFrom(table).selectAll().orderBy(key).execute(),
  );
  return JSON.stringify(await Promise.all(rows));
};
