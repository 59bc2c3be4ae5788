import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';

/** Milliseconds for which a measured size is used. */
const MEASURED_MS = 5_000;
/** Files beside a database that hold none of its rows. */
const BESIDE = /-(?:shm|reserve)$/;

/** Bytes of the files in a folder and its folders. */
async function measure(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let sum = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    // A file may go while the folder is read.
    if (entry.isDirectory()) sum += await measure(path);
    else if (!BESIDE.test(entry.name))
      sum += await stat(path).then(
        ({ size }) => size,
        () => 0,
      );
  }
  return sum;
}

/** How much disk a sandbox uses: its rows and its uploads. */
export class DiskUse {
  readonly #folder: string;
  readonly #clock: Clock;
  #bytes = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /**
   * The bytes that it has once a request of this length is stored.
   * @param incoming Undefined for a body whose length nobody knows before it was read.
   */
  async expect(incoming: number | undefined): Promise<number> {
    const now = this.#clock.now();
    if (incoming === undefined || now - this.#measuredAt >= MEASURED_MS) {
      this.#measuredAt = now;
      this.#bytes = await measure(this.#folder);
    }
    this.#bytes += incoming ?? 0;
    return this.#bytes;
  }
}
