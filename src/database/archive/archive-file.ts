import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createGzip, type Gzip } from 'node:zlib';
import { TreadleError, toError } from '../../core/errors.ts';
import { tidyTemporary, toTemporary } from '../../core/file/temporary-file.ts';
import { findWriteTarget, TargetStream, type WriteTarget } from '../../core/file/write-target.ts';
import type { Line } from './shape.ts';

/** Characters to buffer before compressing. */
const GATHERED = 65_536;
/** Bytes between two syncs to disk, so that the final sync does not stall other writers. */
const SYNC_BYTES = 8_388_608;
/** Fast, not small: a server runs at the same time. */
const LEVEL = 3;

export interface WriteArchiveOptions {
  /** Whether to replace an existing file. */
  readonly isReplacing: boolean;
}

/** Where the compressed bytes go. */
interface Output {
  write(chunk: Buffer): Promise<unknown>;
  /** Brings what is written so far to the disk. */
  sync(): Promise<unknown>;
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

/** A temporary file beside the final one, which it replaces when it is complete. */
async function openFileOutput(path: string): Promise<Output> {
  await mkdir(dirname(path), { recursive: true });
  await tidyTemporary(dirname(path)).catch(() => {});
  const temporary = toTemporary(path);
  const handle: FileHandle = await open(temporary, 'wx', 0o600);
  return {
    write: (chunk) => handle.writeFile(chunk),
    sync: () => handle.datasync(),
    async finish() {
      await handle.sync();
      await handle.close();
      await rename(temporary, path);
      const folder = await open(dirname(path), 'r').catch(() => undefined);
      // Windows cannot sync a folder.
      await folder?.sync().catch(() => {});
      await folder?.close();
    },
    async abandon() {
      await handle.close().catch(() => {});
      await rm(temporary, { force: true });
    },
  };
}

/** A device or a pipe takes the bytes as they come: what is written there cannot be taken back. */
function createStreamOutput(target: Extract<WriteTarget, { kind: 'stream' }>): Output {
  const stream = new TargetStream(target);
  return {
    write: (chunk) => stream.write(chunk),
    sync: async () => {},
    finish: () => stream.end(),
    abandon: () => stream.end().catch(() => {}),
  };
}

/**
 * Writes an archive's lines, compressed, to a file that appears complete or not at all and that only its
 * owner can read.
 */
export class ArchiveFile {
  /** Bytes written so far. */
  bytes = 0;
  readonly path: string;
  readonly #output: Output;
  readonly #gzip: Gzip;
  readonly #sum = createHash('sha256');
  readonly #written: Promise<void>;
  #error: unknown;
  #gathered: string[] = [];
  #characters = 0;

  private constructor(path: string, output: Output) {
    this.path = path;
    this.#output = output;
    this.#gzip = createGzip({ level: LEVEL, chunkSize: 65_536 });
    this.#written = this.#write().catch((error: unknown) => {
      this.#error = error;
      // Without this, a writer that waits for the compressor would never continue.
      this.#gzip.destroy(toError(error));
    });
    this.#gzip.on('error', () => {});
  }

  /** @throws ARCHIVE_EXISTS if the file exists and must not be replaced. @throws ARCHIVE_UNWRITABLE */
  static async create(path: string, { isReplacing }: WriteArchiveOptions): Promise<ArchiveFile> {
    const target = await findWriteTarget(path);
    if (target.kind === 'stream') return new ArchiveFile(path, createStreamOutput(target));
    if (target.mode !== undefined && !isReplacing) {
      throw new TreadleError('ARCHIVE_EXISTS', `${path} already exists.`, {
        hint: 'Give another name, or --yes to replace the file.',
      });
    }
    try {
      return new ArchiveFile(path, await openFileOutput(target.path));
    } catch (cause) {
      throw new TreadleError('ARCHIVE_UNWRITABLE', `No file can be written to ${dirname(path)}.`, {
        hint: 'Name a folder that you may write to.',
        cause,
      });
    }
  }

  async #write(): Promise<void> {
    let unsynced = 0;
    const chunks: AsyncIterable<Buffer> = this.#gzip;
    for await (const chunk of chunks) {
      await this.#output.write(chunk);
      this.bytes += chunk.length;
      unsynced += chunk.length;
      if (unsynced < SYNC_BYTES) continue;
      await this.#output.sync();
      unsynced = 0;
    }
  }

  /** Writes a line that is JSON already: a row. */
  async text(line: string): Promise<void> {
    this.#gathered.push(line);
    this.#characters += line.length;
    if (this.#characters >= GATHERED) await this.#flush();
  }

  line(value: Line | object): Promise<void> {
    return this.text(JSON.stringify(value));
  }

  async #flush(): Promise<void> {
    if (this.#gathered.length === 0) return;
    const text = Buffer.from(`${this.#gathered.join('\n')}\n`);
    this.#gathered = [];
    this.#characters = 0;
    this.#sum.update(text);
    if (this.#error !== undefined) throw this.#error;
    if (this.#gzip.write(text)) return;
    await Promise.race([once(this.#gzip, 'drain'), this.#written]);
    if (this.#error !== undefined) throw this.#error;
  }

  /**
   * Writes the last line with the SHA-256 of everything before, syncs, and renames the file to its final
   * name.
   */
  async finish(last: Omit<Extract<Line, { tables: number }>, 'sha256'>): Promise<void> {
    await this.#flush();
    await this.line({ ...last, sha256: this.#sum.copy().digest('hex') });
    await this.#flush();
    this.#gzip.end();
    await this.#written;
    if (this.#error !== undefined) throw this.#error;
    await this.#output.finish();
  }

  /** Removes the partial file. */
  async abandon(): Promise<void> {
    this.#gzip.destroy();
    await this.#written;
    await this.#output.abandon();
  }
}
