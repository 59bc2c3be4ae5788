import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { TreadleError } from '../../core/errors.ts';
import { tidyTemporary, toTemporary } from '../../core/file/temporary-file.ts';

/** Bytes of a file per line: a multiple of 3, so that only the last line of Base64 is padded. */
const PART_BYTES = 49_152;

/** Uploaded files by path relative to the folder, with forward slashes; skips partial files. */
export async function listUploads(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

export interface Parts {
  readonly bytes: number;
  /** Base64, in parts. */
  read(): AsyncIterable<string>;
  /** Call after the last part. */
  sha256(): string;
}

/** A file in parts; undefined if it has been removed. */
export async function readParts(folder: string, name: string): Promise<Parts | undefined> {
  const path = join(folder, name);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  const sum = createHash('sha256');
  return {
    bytes: found.size,
    async *read() {
      // Reads up to the initial size: the file may be growing.
      const stream: Iterable<Buffer> | AsyncIterable<Buffer> =
        found.size === 0 ? [] : createReadStream(path, { highWaterMark: PART_BYTES, end: found.size - 1 });
      for await (const chunk of stream) {
        sum.update(chunk);
        yield chunk.toString('base64');
      }
    },
    sha256: () => sum.digest('hex'),
  };
}

/** Whether a name from an archive stays within the folder, on every operating system. */
export function isSafeUpload(name: string): boolean {
  const parts = name.split('/');
  return (
    name.length <= 1024 &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them.
    !/[\\:\u0000-\u001f]/.test(name) &&
    parts.every((part) => part !== '' && !part.startsWith('.') && !/[. ]$/.test(part))
  );
}

async function hashFile(path: string): Promise<string> {
  const sum = createHash('sha256');
  const chunks: AsyncIterable<Buffer> = createReadStream(path);
  for await (const chunk of chunks) sum.update(chunk);
  return sum.digest('hex');
}

/** Writes the files of an archive into a folder; can remove them again. */
export class UploadWriter {
  /** Number of files written or already present with the same bytes. */
  written = 0;
  same = 0;
  readonly #folder: string;
  readonly #made: string[] = [];
  readonly #tidied = new Set<string>();
  #current: { readonly name: string; readonly temporary: string; readonly handle: FileHandle } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async begin(name: string): Promise<void> {
    const path = join(this.#folder, name);
    await mkdir(dirname(path), { recursive: true });
    await this.#tidy(dirname(path));
    const temporary = toTemporary(path);
    this.#current = { name, temporary, handle: await open(temporary, 'wx', 0o644) };
  }

  /** Removes what a killed restore left; once per folder. */
  async #tidy(folder: string): Promise<void> {
    if (this.#tidied.has(folder)) return;
    this.#tidied.add(folder);
    await tidyTemporary(folder).catch(() => {});
  }

  async part(text: string): Promise<void> {
    await this.#current?.handle.writeFile(Buffer.from(text, 'base64'));
  }

  /**
   * Renames the file to its final name. Keeps an existing file with other bytes.
   * @throws ARCHIVE_FILE_DIFFERS
   */
  async end(sha256: string): Promise<void> {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    const path = join(this.#folder, current.name);
    await current.handle.sync();
    await current.handle.close();
    const there = await hashFile(path).catch(() => undefined);
    if (there === undefined) {
      await rename(current.temporary, path);
      this.#made.push(path);
      this.written += 1;
      return;
    }
    await rm(current.temporary, { force: true });
    if (there !== sha256) {
      throw new TreadleError(
        'ARCHIVE_FILE_DIFFERS',
        `The uploaded file ${current.name} exists with different content.`,
        {
          hint: 'Move the folder of uploads away and restore again, or leave the files out: --no-files.',
        },
      );
    }
    this.same += 1;
  }

  /** Removes the written files. */
  async undo(): Promise<void> {
    if (this.#current !== undefined) {
      await this.#current.handle.close().catch(() => {});
      await rm(this.#current.temporary, { force: true });
    }
    for (const path of this.#made.splice(0)) await rm(path, { force: true });
  }
}
