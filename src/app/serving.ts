import { TreadleError } from '../core/errors.ts';
import type { Log } from '../core/log/log.ts';
import { toPrint } from '../core/secret/secret.ts';
import type { Database } from '../database/database.ts';
import { type ServedMode, type ServerRecord, writeServedMode } from '../database/served-mode.ts';
import type { Mode } from '../http/exchange.ts';
import type { Model } from '../model/model.ts';
import type { Services } from '../plan/feature.ts';
import { tellOtherFolder } from './upload-folder.ts';

interface Start {
  readonly mode: Mode;
  /** What the server before left. */
  readonly last: ServerRecord;
  readonly model: Model;
  readonly services: Pick<Services, 'database' | 'files' | 'random' | 'log' | 'secret'>;
}

/**
 * Records that a server starts in this mode, and tells if its folder of uploads is not the one of the database. Writes only
 * if something changed. A server in test mode records nothing.
 */
export async function noteStart({ mode, last, model, services }: Start): Promise<void> {
  if (mode === 'test') return;
  const { database, log, secret } = services;
  await noteServing(database, { mode, last, print: toPrint(secret), log });
  await tellOtherFolder({ ...services, model });
}

interface Note {
  readonly mode: Mode;
  readonly last: ServerRecord;
  /** Fingerprint of the server's root secret. */
  readonly print: string;
  readonly log: Log;
}

/** Records that a server starts in this mode; writes only if it changed. A server in test mode records nothing. */
export async function noteServing(database: Database, { mode, last, print, log }: Note): Promise<void> {
  if (mode === 'test' || (mode === last.mode && print === last.print)) return;
  try {
    await database.write(() => writeServedMode(database, mode, print));
  } catch (error) {
    // On a full disk a server still serves reads.
    if (!(error instanceof TreadleError) || error.code !== 'DATABASE_FULL') throw error;
    log.warn('the start could not be recorded in the database', { error });
  }
}

/**
 * The mode of a command that runs once. `development` lets web hooks call loopback addresses and migrates,
 * so it needs a reason. In this order:
 *
 * 1. `NODE_ENV=production` is production and `NODE_ENV=development` is development, set in `.env` or the process.
 * 2. A database that `treadle start` served last counts as production, wherever the command runs, until
 *    `treadle dev` has served it.
 * 3. A database that was never served counts as development: no server has created data in it.
 *
 * `TREADLE_SECRET` does not matter: `treadle create` writes one into every project's `.env`.
 *
 * @param findServed As {@link findServedMode}; called only if the environment does not decide.
 */
export async function findCommandMode(
  nodeEnv: string | undefined,
  findServed: () => Promise<ServedMode | undefined>,
): Promise<ServedMode> {
  if (nodeEnv === 'production' || nodeEnv === 'development') return nodeEnv;
  return (await findServed()) ?? 'development';
}
