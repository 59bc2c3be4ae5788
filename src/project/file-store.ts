import { constants, createReadStream, createWriteStream, type Stats } from 'node:fs';
import { lstat, mkdir, open, opendir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Random } from '../core/clock.ts';
import { readCode, TreadleError } from '../core/errors.ts';
import { listAbandoned, toTemporary } from '../core/file/temporary-file.ts';
import { toUploadName, UPLOAD_NAME, UPLOAD_PATH } from '../model/field/file-type.ts';

/** A stored file that has been found but not read. */
export interface StoredFile {
  readonly name: string;
  /** Where it is on this machine. */
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  /** Reads the whole file or a range of bytes: first and last, both counted from 0. */
  read(range?: { readonly start: number; readonly end: number }): Readable;
}

/** A file that has arrived whole and has no name yet. */
export interface FileDraft {
  /** Where it is on this machine. */
  readonly path: string;
  readonly bytes: number;
  /**
   * Stores it under a random name, and gives its address. It is on disk when it resolves.
   * @param extension As of {@link Files.save}.
   * @throws FILE_STORE_FAILED (503)
   */
  keep(extension: string): Promise<string>;
  /** Removes it. */
  drop(): Promise<void>;
}

/** Uploaded files. On disk under `var/upload/`; another implementation may keep them elsewhere. */
export interface Files {
  /**
   * Stores bytes under a random name. They are on disk when it resolves. Returns the file's address.
   * @param extension Extension for the detected type, not for what the sender claims: letters and digits,
   *   at most 8.
   * @throws FILE_STORE_FAILED (503)
   */
  save(bytes: Uint8Array, extension: string): Promise<string>;
  /**
   * Writes a stream as it comes, and leaves nothing behind if it fails.
   * @throws FILE_STORE_FAILED (503), or the error of the stream.
   */
  receive(stream: Readable): Promise<FileDraft>;
  /** The file at an address; undefined if it does not exist or is not an upload. */
  open(address: string): Promise<StoredFile | undefined>;
  /** Removes the file at an address; succeeds if it does not exist. */
  remove(address: string): Promise<void>;
  /** All stored files, unordered. */
  list(): AsyncIterable<StoredFile>;
  /**
   * Removes the files that killed processes left half-written.
   *
   * @param isTrial True only counts them.
   */
  clearDrafts(isTrial: boolean): Promise<{ readonly total: number; readonly bytes: number }>;
  /** The id of the folder, by which machines see whether they share it; undefined if it has none yet. */
  readId(): Promise<string | undefined>;
  /** Gives the folder an id, unless another process just did. Returns the one that it has. */
  makeId(random: Random): Promise<string>;
}

/** Earlier versions wrote to these, without the name of the process. */
const PART = /^\.[A-Za-z0-9_-]{22}\.[a-z0-9]{1,16}\.part$/;
/** Milliseconds since the last write after which such a file counts as left by a killed process. */
const PART_MS = 3_600_000;
/** Holds the id of the folder. */
const ID = '.treadle-folder';

const BUSY = /^(?:ENOSPC|EDQUOT|EMFILE|ENFILE|EROFS|EACCES|EPERM|EIO)$/;

function createError(cause: unknown, what: string): TreadleError {
  const hint = BUSY.test(readCode(cause))
    ? 'Give the user that runs Treadle the right to write to var/upload, or free some disk space.'
    : 'The log has the cause.';
  return new TreadleError('FILE_STORE_FAILED', `An upload could not be ${what}.`, { status: 503, hint, cause });
}

/** An error of the file system, not of who sends the file. */
const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

const isMissing = (error: unknown): boolean => /^(?:ENOENT|ENOTDIR|ENAMETOOLONG)$/.test(readCode(error));

/** Flushes the folder, so that new names survive a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

class DiskFiles implements Files {
  readonly #folder: string;
  readonly #random: Random;

  constructor(folder: string, random: Random) {
    this.#folder = folder;
    this.#random = random;
  }

  #makeName(extension: string): string {
    const name = `${this.#random(17).toString('base64url').slice(0, 22)}.${extension}`;
    if (!UPLOAD_NAME.test(name)) throw new TypeError(`no extension of a stored file: ${extension}`);
    return name;
  }

  async save(bytes: Uint8Array, extension: string): Promise<string> {
    const name = this.#makeName(extension);
    const draft = toTemporary(join(this.#folder, name));
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      // Written to a draft and then renamed, so that a crash never leaves a partial file.
      const handle = await open(draft, 'wx', 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      await unlink(draft).catch(() => {});
      throw createError(error, 'written');
    }
    return this.#rename(draft, name);
  }

  async #rename(draft: string, name: string): Promise<string> {
    try {
      await rename(draft, join(this.#folder, name));
      await syncFolder(this.#folder);
    } catch (error) {
      await unlink(draft).catch(() => {});
      throw createError(error, 'written');
    }
    return UPLOAD_PATH + name;
  }

  async receive(stream: Readable): Promise<FileDraft> {
    const path = toTemporary(join(this.#folder, 'arriving'));
    const drop = (): Promise<void> => unlink(path).catch(() => {});
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(stream, file);
      return {
        path,
        bytes: file.bytesWritten,
        drop,
        keep: (extension) => this.#rename(path, this.#makeName(extension)),
      };
    } catch (error) {
      stream.destroy();
      await drop();
      throw isOfSystem(error) ? createError(error, 'written') : error;
    }
  }

  async open(address: string): Promise<StoredFile | undefined> {
    const name = toUploadName(address);
    return name === undefined ? undefined : this.#look(name);
  }

  async #look(name: string): Promise<StoredFile | undefined> {
    const path = join(this.#folder, name);
    let stats: Stats;
    try {
      // Does not follow links: one could point out of the folder.
      stats = await lstat(path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw createError(error, 'read');
    }
    if (!stats.isFile()) return undefined;
    return {
      name,
      path,
      bytes: stats.size,
      savedAt: Math.floor(stats.mtimeMs),
      read: (range) => createReadStream(path, range ?? {}),
    };
  }

  async remove(address: string): Promise<void> {
    const name = toUploadName(address);
    if (name === undefined) return;
    try {
      await unlink(join(this.#folder, name));
    } catch (error) {
      if (!isMissing(error)) throw createError(error, 'removed');
    }
  }

  async *list(): AsyncIterable<StoredFile> {
    let folder: Awaited<ReturnType<typeof opendir>>;
    try {
      folder = await opendir(this.#folder);
    } catch (error) {
      if (isMissing(error)) return;
      throw createError(error, 'read');
    }
    for await (const { name } of folder) {
      const file = UPLOAD_NAME.test(name) ? await this.#look(name) : undefined;
      if (file) yield file;
    }
  }

  async #listDrafts(): Promise<string[]> {
    const names = (await readdir(this.#folder)).filter((name) => PART.test(name));
    const parts = names.map((name) => join(this.#folder, name));
    const ages = await Promise.all(parts.map((path) => lstat(path).catch(() => undefined)));
    const old = parts.filter((_, index) => Date.now() - (ages[index]?.mtimeMs ?? Date.now()) > PART_MS);
    return [...(await listAbandoned(this.#folder)), ...old];
  }

  async clearDrafts(isTrial: boolean): Promise<{ total: number; bytes: number }> {
    const sum = { total: 0, bytes: 0 };
    try {
      for (const path of await this.#listDrafts()) {
        const stats = await lstat(path).catch(() => undefined);
        if (!isTrial) await unlink(path);
        sum.total += 1;
        sum.bytes += stats?.size ?? 0;
      }
    } catch (error) {
      if (!isMissing(error)) throw createError(error, 'removed');
    }
    return sum;
  }

  async readId(): Promise<string | undefined> {
    try {
      const id = (await readFile(join(this.#folder, ID), 'utf8')).trim();
      return id === '' ? undefined : id;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw createError(error, 'read');
    }
  }

  async makeId(random: Random): Promise<string> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(join(this.#folder, ID), `${random(16).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (readCode(error) !== 'EEXIST') throw createError(error, 'written');
    }
    return (await this.readId()) ?? '';
  }
}

/** Files in a folder, which is created with the first file. */
export function createFileStore(options: { readonly folder: string; readonly random: Random }): Files {
  return new DiskFiles(options.folder, options.random);
}
