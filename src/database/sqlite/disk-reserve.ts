import { randomBytes } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';

/**
 * Size of the reserve in bytes. SQLite needs 32 kB of shared memory, a file, for each 16 MB of its log, and
 * creates it when the first process opens the database.
 */
const RESERVE_BYTES = 262_144;

/**
 * A file that reserves disk space, so that a server can start on a full disk and serve reads. It is removed
 * if SQLite finds no room for its shared memory.
 */
export class Reserve {
  readonly #path: string;

  /** @param file Path of the database. */
  constructor(file: string) {
    this.#path = `${file}-reserve`;
  }

  /** Creates the file if missing, unless the disk is too full. */
  async keep(): Promise<void> {
    const size = await stat(this.#path).then(
      (found) => found.size,
      () => 0,
    );
    if (size === RESERVE_BYTES) return;
    try {
      const handle = await open(this.#path, 'w', 0o600);
      try {
        // Zeros would take no space on a compressing file system.
        await handle.writeFile(randomBytes(RESERVE_BYTES));
      } finally {
        await handle.close();
      }
    } catch {
      await this.release();
    }
  }

  /** Frees the space; false if nothing was reserved. */
  async release(): Promise<boolean> {
    return rm(this.#path).then(
      () => true,
      () => false,
    );
  }
}
