import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Folder {
  readonly root: string;
  write(file: string, text: string): void;
  remove(): void;
}

/** A temporary folder with these files. */
export function createFolder(files: Readonly<Record<string, string>> = {}): Folder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-project-')));
  const write = (file: string, text: string): void => {
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  return { root, write, remove: () => rmSync(root, { recursive: true, force: true }) };
}
