import { type BigIntStats, statSync } from 'node:fs';
import type { Clock } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';

/** Milliseconds between two checks that the file still exists. */
const WATCH_MILLISECONDS = 1000;

const MISSING = 'missing';

function toIdentity(stats: BigIntStats | undefined): string {
  return stats === undefined ? MISSING : `${stats.dev}:${stats.ino}`;
}

const readIdentity = (path: string): string => toIdentity(statSync(path, { bigint: true, throwIfNoEntry: false }));

function replacedError(file: string, isMissing: boolean): TreadleError {
  const message = `The database file was ${isMissing ? 'deleted' : 'replaced'} while it was in use.`;
  return new TreadleError('DATABASE_REPLACED', message, {
    status: 503,
    hint: 'Stop Treadle before you move, delete or replace the file, or use treadle restore. Start Treadle again.',
    detail: { file },
  });
}

/**
 * Checks that the database file and its log are still the opened ones. SQLite keeps writing to a deleted or
 * replaced file: every commit succeeds, and all of it is lost when the process ends.
 * The check is synchronous: it takes 2 µs per file, and a commit takes 1 ms.
 */
export class FileGuard {
  readonly #known: { readonly path: string; identity: string }[];

  /** @param file Path of the database, which a connection has open in WAL mode. */
  constructor(file: string) {
    this.#known = [file, `${file}-wal`].map((path) => ({ path, identity: readIdentity(path) }));
  }

  /** @throws DATABASE_REPLACED */
  check(): void {
    for (const known of this.#known) {
      const now = readIdentity(known.path);
      // SQLite creates the log of a new database with the first commit.
      if (known.identity === MISSING) known.identity = now;
      if (now !== known.identity) throw replacedError(known.path, now === MISSING);
    }
  }
}

/** Checks the file every second until a check throws; returns a function that stops it. */
export function watchFile(clock: Clock, check: () => void): () => void {
  const state = { cancel: () => {} };
  const watch = (): void => {
    state.cancel = clock.after(WATCH_MILLISECONDS, () => {
      try {
        check();
        watch();
      } catch {
        // The writer has already reported it.
      }
    });
  };
  watch();
  return () => state.cancel();
}
