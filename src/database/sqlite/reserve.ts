import { randomBytes } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';

/**
 * Bytes kept: SQLite needs 32 kB of shared memory, a file, for each 16 MB of its log, and makes it when the first process
 * opens the database.
 */
const RESERVE_BYTES = 262_144;

/**
 * A file that holds some of the disk, so that a server can start on a full disk and serve reads: it is removed where
 * SQLite finds no room for its shared memory.
 */
export class Reserve {
  readonly #path: string;

  /** @param file Path of the database. */
  constructor(file: string) {
    this.#path = `${file}-reserve`;
  }

  /** Makes the file where it is missing. A disk without room for it is left as it is. */
  async keep(): Promise<void> {
    const size = await stat(this.#path).then(
      (found) => found.size,
      () => 0,
    );
    if (size === RESERVE_BYTES) return;
    try {
      const handle = await open(this.#path, 'w', 0o600);
      try {
        // Zeros would take no room on a file system that compresses.
        await handle.writeFile(randomBytes(RESERVE_BYTES));
      } finally {
        await handle.close();
      }
    } catch {
      await this.release();
    }
  }

  /** Gives the room back; false where none was kept. */
  async release(): Promise<boolean> {
    return rm(this.#path).then(
      () => true,
      () => false,
    );
  }
}
