import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Database } from '../database/database.ts';
import { readServedSecret, type ServedMode, writeServedMode } from '../database/serving.ts';
import type { Mode } from './exchange.ts';

interface Note {
  readonly mode: Mode;
  readonly last: ServedMode | undefined;
  /** Of the server's root secret. */
  readonly print: string;
  readonly log: Log;
}

/**
 * Notes that a server starts in this mode; writes only where that is news. A server of tests leaves no note.
 */
export async function noteServing(database: Database, { mode, last, print, log }: Note): Promise<void> {
  if (mode === 'test' || (mode === last && print === (await readServedSecret(database)))) return;
  try {
    await database.write(() => writeServedMode(database, mode, print));
  } catch (error) {
    // On a full disk a server still serves reads.
    if (!(error instanceof TreadleError) || error.code !== 'DATABASE_FULL') throw error;
    log.warn('the start could not be noted in the database', { error });
  }
}

/**
 * The mode of a command that does one piece of work and ends. `development` lets web hooks call loopback and migrates,
 * so it needs a reason. In this order:
 *
 * 1. `NODE_ENV=production` is production, `NODE_ENV=development` development: somebody said so, in `.env` or the process.
 * 2. A database that `treadle start` served last is production's, wherever the command runs; it is a developer's again
 *    once `treadle dev` has served it.
 * 3. A database that nobody has served yet is a developer's: no server has made anything there.
 *
 * Whether `TREADLE_SECRET` is set says nothing: `treadle create` writes one into every project's `.env`.
 *
 * @param findServed As {@link findServedMode}; asked only where the environment says nothing.
 */
export async function toCommandMode(
  nodeEnv: string | undefined,
  findServed: () => Promise<ServedMode | undefined>,
): Promise<ServedMode> {
  if (nodeEnv === 'production' || nodeEnv === 'development') return nodeEnv;
  return (await findServed()) ?? 'development';
}
