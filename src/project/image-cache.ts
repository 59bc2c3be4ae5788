import { readdir, readFile, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { writeFileAtomically } from './write.ts';

/** Bytes of sizes on disk; beyond it, those that were not used for longest are removed. */
const MOST_BYTES = 268_435_456;
/** After a removal, so that not every new size removes one. */
const CACHED_BYTES = 0.9 * MOST_BYTES;
const HOUR_MS = 3_600_000;
const NAME = /^[\w-]+\.(?:jpg|png|webp|avif)$/;
/** Others of the group may read it, as an uploaded file. */
const MODE = 0o640;

interface Entry {
  readonly bytes: number;
  /** When it was last used, in milliseconds since 1970. */
  usedAt: number;
}

export interface ImageCacheOptions {
  readonly folder: string;
  readonly clock: Clock;
  /** Default 256 MiB. */
  readonly mostBytes?: number;
}

/** Sizes of images in a folder that several processes may share. What is missing is made again. */
export class ImageCache {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #mostBytes: number;
  #entries: Map<string, Entry> | undefined;

  constructor({ folder, clock, mostBytes = MOST_BYTES }: ImageCacheOptions) {
    this.#folder = folder;
    this.#clock = clock;
    this.#mostBytes = mostBytes;
  }

  /** The bytes of a size; undefined if it is not cached. */
  async read(name: string): Promise<Buffer | undefined> {
    try {
      const bytes = await readFile(join(this.#folder, name));
      if (bytes.length === 0) return undefined;
      await this.#use(name, bytes.length);
      return bytes;
    } catch {
      return undefined;
    }
  }

  /** Keeps a size. It has its name only when all bytes are on disk. */
  async write(name: string, bytes: Buffer): Promise<void> {
    await writeFileAtomically(join(this.#folder, name), bytes, MODE);
    const entries = await this.#list();
    entries.set(name, { bytes: bytes.length, usedAt: this.#clock.now() });
    if (countBytes(entries) > this.#mostBytes) await this.#evict(name);
  }

  /** Notes a use, on disk once an hour, so that another process knows of it. */
  async #use(name: string, bytes: number): Promise<void> {
    const now = this.#clock.now();
    const entries = await this.#list();
    const usedAt = entries.get(name)?.usedAt ?? 0;
    entries.set(name, { bytes, usedAt: now });
    if (now - usedAt > HOUR_MS) await utimes(join(this.#folder, name), now / 1000, now / 1000).catch(() => {});
  }

  async #list(): Promise<Map<string, Entry>> {
    this.#entries ??= await this.#scan(new Map());
    return this.#entries;
  }

  /** Reads the folder; removes drafts that a killed process left: old files without the name of a size. */
  async #scan(known: ReadonlyMap<string, Entry>): Promise<Map<string, Entry>> {
    const entries = new Map<string, Entry>();
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      const stats = await stat(path).catch(() => undefined);
      if (!stats?.isFile()) continue;
      const isOld = this.#clock.now() - stats.mtimeMs > HOUR_MS;
      if (NAME.test(name))
        entries.set(name, { bytes: stats.size, usedAt: Math.max(stats.mtimeMs, known.get(name)?.usedAt ?? 0) });
      else if (isOld) await unlink(path).catch(() => {});
    }
    return entries;
  }

  /** Removes the sizes that were not used for longest, except the newest one. */
  async #evict(newest: string): Promise<void> {
    const entries = await this.#scan(await this.#list());
    let bytes = countBytes(entries);
    const least = Math.min(CACHED_BYTES, 0.9 * this.#mostBytes);
    for (const [name, entry] of [...entries].sort(([, a], [, b]) => a.usedAt - b.usedAt)) {
      if (bytes <= least) break;
      if (name === newest) continue;
      await unlink(join(this.#folder, name)).catch(() => {});
      entries.delete(name);
      bytes -= entry.bytes;
    }
    this.#entries = entries;
  }
}

const countBytes = (entries: ReadonlyMap<string, Entry>): number =>
  [...entries.values()].reduce((sum, { bytes }) => sum + bytes, 0);
