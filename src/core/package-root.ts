import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TreadleError } from './errors.ts';

/** The nearest folder with a package.json, from `folder` upwards. @throws PACKAGE_INCOMPLETE */
export function findPackageRoot(folder: string): string {
  for (let place = folder; ; place = dirname(place)) {
    if (existsSync(join(place, 'package.json'))) return place;
    if (place === dirname(place)) break;
  }
  throw new TreadleError('PACKAGE_INCOMPLETE', `Treadle finds no package.json in ${folder} or a folder above it.`, {
    hint: 'Install the package "treadle" whole: it reads templates and other files beside its program. A bundler must not include it.',
  });
}

/**
 * Treadle's installation folder with `templates/`, `scaffold/` and `package.json`, whether run from src or
 * dist.
 */
export const packageRoot: string = findPackageRoot(dirname(fileURLToPath(import.meta.url)));

/** Treadle's version, from its package.json. */
export const packageVersion: string = (
  JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }
).version;
