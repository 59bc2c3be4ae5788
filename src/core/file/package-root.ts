import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TreadleError } from '../errors.ts';

/** Undefined for a folder without a package.json, and for the one of `dist/bin`, which only says that its files are CommonJS. */
function findVersion(folder: string): string | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  const { version }: { version?: string } = JSON.parse(readFileSync(file, 'utf8'));
  return version;
}

/** The nearest folder with the package.json of a package, from `folder` upwards. @throws PACKAGE_INCOMPLETE */
export function findPackageRoot(folder: string): { readonly root: string; readonly version: string } {
  for (let root = folder; ; root = dirname(root)) {
    const version = findVersion(root);
    if (version !== undefined) return { root, version };
    if (root === dirname(root)) break;
  }
  throw new TreadleError('PACKAGE_INCOMPLETE', `Treadle finds no package.json in ${folder} or a folder above it.`, {
    hint: 'Install the package "treadle" whole: it reads templates and other files beside its program. A bundler must not include it.',
  });
}

const found = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

/**
 * Treadle's installation folder with `templates/`, `scaffold/` and `package.json`, whether run from src or
 * dist.
 */
export const packageRoot: string = found.root;

/** Treadle's version, from its package.json. */
export const packageVersion: string = found.version;
