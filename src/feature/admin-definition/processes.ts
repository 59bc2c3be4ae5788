import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { asSystem } from '../../core/access.ts';
import { toSeconds } from '../../core/clock.ts';
import { memoize } from '../../core/memoize.ts';
import type { SystemTable } from '../../database/database.ts';
import type { Context, Services, Worker } from '../../plan/feature.ts';

const TABLE = 'treadle_server_process';
/** Milliseconds between two signs of life, and before the first. */
const BEAT_MS = 60_000;
const FIRST_MS = 1000;
/** Seconds after which a process without a sign of life counts as ended. */
const GONE_SECONDS = 150;

/** Processes that serve a database on a server, each with the folder of its files. */
export const processTable: SystemTable = {
  name: TABLE,
  columns: [
    { name: 'id', type: 'key' },
    { name: 'folder', type: 'text', isRequired: true },
    // Unix seconds.
    { name: 'seen_at', type: 'integer', isRequired: true },
  ],
};

/** A random name of this process, as long as it serves. */
const idOf = memoize((services: Services) => services.random(12).toString('base64url'));

/** Identifies the folder of the project: processes with the same one read the same files. */
const toFolder = (root: string): string =>
  createHash('sha256')
    .update(`${hostname()}\n${realpathSync(root)}`)
    .digest('base64url');

/** Tells the other processes that this one lives, and which files it reads. */
export async function tellAlive(services: Services): Promise<void> {
  const { database, clock, root } = services;
  const [now, folder] = [toSeconds(clock.now()), toFolder(root)];
  await database.write(async () => {
    await database.kysely
      .insertInto(TABLE)
      .values({ id: idOf(services), folder, seen_at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ folder, seen_at: now }))
      .execute();
    await database.kysely
      .deleteFrom(TABLE)
      .where('seen_at', '<', now - 10 * GONE_SECONDS)
      .execute();
  });
}

/** True if a living process serves the database from another folder, whose files a save here would not change. */
export async function hasOtherFiles({ database, clock, root }: Services): Promise<boolean> {
  const row = await database.kysely
    .selectFrom(TABLE)
    .select('id')
    .where('folder', '!=', toFolder(root))
    .where('seen_at', '>=', toSeconds(clock.now()) - GONE_SECONDS)
    .executeTakeFirst();
  return row !== undefined;
}

/** Signs of life of a process. Only a database on a server is served from several machines; `dev` writes anyway. */
export function createBeat({ plan, services }: Context): Worker {
  const { database, clock, log } = services;
  let cancel = (): void => {};
  const beat = (): void => {
    asSystem(() => tellAlive(services)).catch((error: unknown) =>
      log.warn('the process could not say that it lives', { error }),
    );
    cancel = clock.after(BEAT_MS, beat);
  };
  if (database.hasOthers && !plan.isDevelopment) cancel = clock.after(FIRST_MS, beat);
  return { stop: async () => cancel(), wake: () => {} };
}
