import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file that is rebuilt if it is lost, whole or not at all. Ignores a read-only folder: its project must still start. */
export function writeCacheFile(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // The next start does the work again.
  }
}
