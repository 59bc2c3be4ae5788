import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readlink, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { readCode, TreadleError } from '../errors.ts';

/** What a path means for a writer. */
export type WriteTarget =
  /** A regular file, or nothing yet: it may be replaced by a rename. `path` is behind all symbolic links. */
  | { readonly kind: 'file'; readonly path: string; readonly mode: number | undefined }
  /** A device, a pipe, a socket or an open file of this process: it is written into and never replaced. */
  | { readonly kind: 'stream'; readonly path: string; readonly descriptor: number | undefined };

/** As the kernel limits it (`path_resolution(7)`). */
const MOST_LINKS = 40;
const STANDARD: Readonly<Record<string, number>> = { '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2 };
const DESCRIPTOR = /^\/(?:dev\/fd|proc\/(?:self|thread-self|(\d+))\/fd)\/(\d+)$/;

function toDescriptor(path: string): number | undefined {
  const found = DESCRIPTOR.exec(path);
  if (found === null) return Object.hasOwn(STANDARD, path) ? STANDARD[path] : undefined;
  const [, owner, number] = found;
  return owner === undefined || Number(owner) === process.pid ? Number(number) : undefined;
}

function refuse(path: string, what: string, hint: string, cause?: unknown): TreadleError {
  return new TreadleError('WRITE_TARGET_INVALID', `${path} ${what}.`, { status: 422, hint, cause });
}

/** Throws the error of a `stat` or `readlink` in plain words. A file that does not exist is no error: the writer makes it. */
function judge(error: unknown, path: string): void {
  const code = readCode(error);
  if (code === 'ENOENT') return;
  const above = dirname(path);
  if (code === 'ENOTDIR')
    throw refuse(path, 'cannot be written: a part of its folder is a file', 'Name a file in a folder.', error);
  if (code === 'EACCES')
    throw refuse(path, `cannot be written: ${above} is closed to this user`, 'Name another folder.', error);
  throw error;
}

async function readLinkOnce(path: string): Promise<string | undefined> {
  try {
    return resolve(dirname(path), await readlink(path));
  } catch (error) {
    // EINVAL: no link.
    if (readCode(error) !== 'EINVAL') judge(error, path);
    return undefined;
  }
}

/**
 * Follows a path's symbolic links and says how to write to it. A rename would replace a link, a device or a pipe itself.
 *
 * @throws WRITE_TARGET_INVALID for a folder, for a path below a file, and for links that form a circle.
 */
export async function findWriteTarget(given: string): Promise<WriteTarget> {
  let path = resolve(given);
  for (let links = 0; ; links += 1) {
    const descriptor = toDescriptor(path);
    if (descriptor !== undefined) return { kind: 'stream', path, descriptor };
    const next = await readLinkOnce(path);
    if (next === undefined) break;
    if (links >= MOST_LINKS) throw refuse(given, 'is a symbolic link that leads back to itself', 'Name another file.');
    path = next;
  }
  const found = await stat(path).catch((error: unknown) => judge(error, path));
  if (found === undefined) return { kind: 'file', path, mode: undefined };
  if (found.isDirectory()) throw refuse(given, 'is a folder', 'Name a file in it.');
  if (found.isFile()) return { kind: 'file', path, mode: found.mode & 0o777 };
  return { kind: 'stream', path, descriptor: undefined };
}

/** Whether writing there is the same as printing. */
export const isStandardOutput = (target: WriteTarget): boolean => target.kind === 'stream' && target.descriptor === 1;

/** Opens a stream target. `end` of the result leaves standard output and standard error open. */
function openStream({ path, descriptor }: Extract<WriteTarget, { kind: 'stream' }>): Writable {
  // Node sets these to their own mode, so a second stream on the same descriptor would meet EAGAIN.
  if (descriptor === 1) return process.stdout;
  if (descriptor === 2) return process.stderr;
  if (descriptor !== undefined) return createWriteStream(path, { fd: descriptor, autoClose: false });
  return createWriteStream(path, { flags: 'a' });
}

/** Writes into a device or a pipe, as fast as its reader takes it. */
export class TargetStream {
  readonly #stream: Writable;
  readonly #isShared: boolean;
  #error: unknown;

  constructor(target: Extract<WriteTarget, { kind: 'stream' }>) {
    this.#stream = openStream(target);
    this.#isShared = this.#stream === process.stdout || this.#stream === process.stderr;
    this.#stream.on('error', this.#note);
  }

  readonly #note = (error: unknown): void => {
    this.#error ??= error;
  };

  /** @throws the stream's error, such as EPIPE. */
  async write(chunk: string | Uint8Array): Promise<void> {
    if (this.#error !== undefined) throw this.#error;
    if (!this.#stream.write(chunk)) await once(this.#stream, 'drain');
    if (this.#error !== undefined) throw this.#error;
  }

  /** Resolves when all is written. */
  async end(): Promise<void> {
    if (this.#isShared) {
      await new Promise<void>((done) => this.#stream.write('', () => done()));
      this.#stream.off('error', this.#note);
    } else {
      this.#stream.end();
      await finished(this.#stream);
    }
    if (this.#error !== undefined) throw this.#error;
  }
}

/** Writes into a device or a pipe. */
export async function writeInto(
  target: Extract<WriteTarget, { kind: 'stream' }>,
  content: string | Uint8Array,
): Promise<void> {
  const stream = new TargetStream(target);
  await stream.write(content);
  await stream.end();
}
