import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, waitAtMost } from '../../core/clock.ts';
import type { Database } from '../../database/database.ts';
import type { Storage } from '../../plan/operation.ts';
import type { Files } from '../../project/file-store.ts';

/** Milliseconds for which the sum of the uploads is remembered: it reads the size of every file. */
const REMEMBERED_MS = 600_000;
/** Milliseconds that a page waits for a new sum; it shows the last one meanwhile. */
const WAIT_MS = 300;

interface Sum {
  readonly bytes: number;
  readonly count: number;
}

async function sumUploads(files: Files): Promise<Sum> {
  const sum = { bytes: 0, count: 0 };
  for await (const { bytes } of files.list()) {
    sum.bytes += bytes;
    sum.count += 1;
  }
  return sum;
}

async function sumFolder(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function readFree(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  return found && found.bavail * found.bsize;
}

/** Size of the database and of its log, as its metrics tell. */
async function readDatabaseSize(database: Database): Promise<Pick<Storage, 'database' | 'log'>> {
  const source = database.figures().find(({ name }) => name === 'database_size');
  const { treadle_database_size_bytes: size, treadle_database_wal_size_bytes: log } = (await source?.read()) ?? {};
  return { database: typeof size === 'number' ? size : undefined, log: typeof log === 'number' ? log : undefined };
}

export interface StorageParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly files: Files;
  /** Project root, absolute. */
  readonly root: string;
  /** Folder of the backups, absolute. */
  readonly backups: string;
}

/** Reads what the project uses of the disk. */
export function createStorageReader({ database, clock, files, root, backups }: StorageParts): () => Promise<Storage> {
  const known: { sum: Sum | undefined; at: number; running: Promise<void> | undefined } = {
    sum: undefined,
    at: Number.NEGATIVE_INFINITY,
    running: undefined,
  };
  const renew = (): Promise<void> => {
    known.running ??= sumUploads(files)
      .then(
        (sum) => {
          known.sum = sum;
          known.at = clock.now();
        },
        () => {},
      )
      .finally(() => {
        known.running = undefined;
      });
    return known.running;
  };
  return async () => {
    if (clock.now() - known.at > REMEMBERED_MS) await waitAtMost(clock, renew(), WAIT_MS);
    const [size, free, kept] = await Promise.all([readDatabaseSize(database), readFree(root), sumFolder(backups)]);
    return { ...size, uploads: known.sum?.bytes, uploadCount: known.sum?.count, backups: kept, free };
  };
}
