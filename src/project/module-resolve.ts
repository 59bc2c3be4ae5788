import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Extensions that an import may leave out, in the order in which they are tried. */
export const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'] as const;

/** Whether a path is a file; false if a parent of it is a file. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** TypeScript allows `./x.js` for `./x.ts`. */
const TYPED: ReadonlyMap<string, string> = new Map([
  ['.js', '.ts'],
  ['.mjs', '.mts'],
  ['.cjs', '.cts'],
]);

/** Whether a specifier is a path, not the name of a package. */
export const isPathSpecifier = (specifier: string): boolean => /^(?:\.\.?(?:\/|$)|\/|file:)/.test(specifier);

/** The file for a path specifier, relative to the importing file; undefined if it does not exist. */
export function resolvePath(specifier: string, from: string): string | undefined {
  const base = specifier.startsWith('file:') ? fileURLToPath(specifier) : resolve(dirname(from), specifier);
  const isFolderOnly = /(?:^|\/)\.{0,2}$/.test(specifier);
  const typed = base.replace(/\.[mc]?js$/, (extension) => TYPED.get(extension) ?? extension);
  const files = isFolderOnly ? [] : [base, ...(typed === base ? [] : [typed]), ...EXTENSIONS.map((end) => base + end)];
  return [...files, ...EXTENSIONS.map((end) => join(base, `index${end}`))].find(isFile);
}
