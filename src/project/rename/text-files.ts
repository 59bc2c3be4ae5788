import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface TextFile {
  /** Path from the project's root, with forward slashes. */
  readonly file: string;
  readonly text: string;
}

/** What is not the project's own, is made anew, or is read by its own reader. */
const PASSED: ReadonlySet<string> = new Set(['node_modules', 'var', 'dist', 'docs', 'config', 'coverage', 'build']);
const READ = /\.(?:[cm]?[jt]sx?|html|hbs|css|md|txt|ndjson|json|csv|sql|ya?ml)$/;
/** Longer files are data. */
const MOST_BYTES = 8 * 1024 * 1024;
const LOCK_FILE = 'package-lock.json';
/** Made by `treadle types`. */
const TYPES = 'app/treadle.d.ts';

/** Texts of a project that may name what definitions define, in order of their paths. Links are not followed. */
export async function readTextFiles(root: string, folder = ''): Promise<TextFile[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const found: TextFile[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      const isPassed =
        entry.name.startsWith('.') || entry.name === 'node_modules' || (folder === '' && PASSED.has(file));
      if (!isPassed) found.push(...(await readTextFiles(root, file)));
    } else if (entry.isFile() && READ.test(entry.name) && entry.name !== LOCK_FILE && file !== TYPES) {
      const path = join(root, file);
      if ((await lstat(path)).size <= MOST_BYTES) found.push({ file, text: await readFile(path, 'utf8') });
    }
  }
  return found;
}

export const isTemplate = (file: string): boolean => file.startsWith('app/') && /\.(?:html|hbs)$/.test(file);
export const isCode = (file: string): boolean => /\.[cm]?[jt]sx?$/.test(file);
export const isFixture = (file: string): boolean => /^fixture\/[^/]+\.(?:ndjson|json|csv)$/.test(file);
