import { createReadStream } from 'node:fs';
import { lstat, mkdir, readdir, stat, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { apartAsSystem } from '../../core/access.ts';
import { type Clock, toStamp } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import { packageVersion } from '../../core/file/package-root.ts';
import type { Log } from '../../core/log/log.ts';
import { writeArchive } from '../../database/archive/write.ts';
import type { Database } from '../../database/database.ts';
import { createTables } from '../../database/table.ts';
import type { Plan } from '../../plan/feature.ts';
import type { BackupFile, Backups, Storage } from '../../plan/operation.ts';

/** Names of finished backups: no path, and not hidden. */
const NAME = /^[A-Za-z0-9_][\w.-]{0,120}\.treadle$/;
/** A backup that is not finished, as `core/temporary-file.ts` names it. */
const DRAFT = /^\..+\.treadle\..+\.tmp$/;
/** Milliseconds since the last write after which an unfinished one counts as left by a killed process. */
const DEAD_MS = 60_000;
/** Bytes that must stay free besides the size of the database and the uploads. */
const MARGIN = 100_000_000;

export interface BackupParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Folder of the backups, absolute. */
  readonly folder: string;
  /** Folder of the uploads, absolute. */
  readonly uploads: string;
  readonly plan: () => Plan;
  readonly storage: () => Promise<Storage>;
}

class FolderBackups implements Backups {
  readonly #parts: BackupParts;
  #running: Promise<void> | undefined;
  #isAbandoned = false;
  fault: string | undefined;

  constructor(parts: BackupParts) {
    this.#parts = parts;
  }

  async #names(): Promise<string[]> {
    return readdir(this.#parts.folder).catch(() => []);
  }

  async list(): Promise<readonly BackupFile[]> {
    const found = await Promise.all((await this.#names()).map((name) => this.find(name)));
    return found.filter((file) => file !== undefined).sort((a, b) => b.at - a.at);
  }

  async find(name: string): Promise<BackupFile | undefined> {
    if (!NAME.test(name)) return undefined;
    const path = join(this.#parts.folder, name);
    // Does not follow links: one could point out of the folder.
    const stats = await lstat(path).catch(() => undefined);
    if (!stats?.isFile()) return undefined;
    return { name, bytes: stats.size, at: Math.floor(stats.mtimeMs), read: () => createReadStream(path) };
  }

  async progress(): Promise<number | undefined> {
    const drafts = (await this.#names()).filter((name) => DRAFT.test(name));
    for (const name of drafts) {
      const stats = await stat(join(this.#parts.folder, name)).catch(() => undefined);
      if (stats && Date.now() - stats.mtimeMs < DEAD_MS) return stats.size;
    }
    return this.#running === undefined ? undefined : 0;
  }

  async begin(): Promise<void> {
    await this.#checkRoom();
    // Of two that ask at once the second finds the first one here, or its file.
    if ((await this.progress()) !== undefined || this.#running !== undefined) {
      throw new TreadleError('BACKUP_RUNS', 'A backup is being made already.', { status: 409 });
    }
    this.#isAbandoned = false;
    this.fault = undefined;
    this.#running = apartAsSystem(() => this.#write())
      .catch((error: unknown) => {
        this.fault = error instanceof TreadleError ? error.message : 'The log has the cause.';
        this.#parts.log.error('backup.failed', { error });
      })
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** A full disk would stop the database, too. */
  async #checkRoom(): Promise<void> {
    const { folder, storage } = this.#parts;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { database = 0, uploads = 0 } = await storage();
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize > database + uploads + MARGIN) return;
    throw new TreadleError('BACKUP_ROOM', 'The disk may not have room for the backup.', {
      status: 507,
      hint: 'Remove old backups, or write to another disk: treadle backup --out <file>.',
    });
  }

  async #write(): Promise<void> {
    const { database, clock, log, folder, uploads, plan } = this.#parts;
    const { model, tables } = plan();
    const at = toStamp(clock.now());
    const name = `${at.replaceAll(':', '').replace(' ', '-')}.treadle`;
    const done = await writeArchive({
      database,
      file: join(folder, name),
      isReplacing: false,
      wanted: createTables(model, tables, { dialect: 'postgres' }),
      project: model.settings.name,
      version: packageVersion,
      at,
      uploads: (await stat(uploads).catch(() => undefined))?.isDirectory() ? uploads : undefined,
      progress: () => {
        if (this.#isAbandoned) throw new TreadleError('BACKUP_ABANDONED', 'The server stopped during the backup.');
      },
    });
    log.info('backup.done', { file: name, rows: done.rows, files: done.files, bytes: done.bytes });
  }

  async remove(name: string): Promise<boolean> {
    if ((await this.find(name)) === undefined) return false;
    await unlink(join(this.#parts.folder, name));
    this.#parts.log.info('backup.removed', { file: name });
    return true;
  }

  async abandon(): Promise<void> {
    this.#isAbandoned = true;
    await this.#running;
  }
}

/** Backups in a folder that only the server's user can read. */
export const createBackups = (parts: BackupParts): Backups => new FolderBackups(parts);
