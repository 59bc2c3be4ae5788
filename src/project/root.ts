import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The project that contains a folder; undefined if none does. */
export function findProjectRoot(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'config', 'settings.json'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
