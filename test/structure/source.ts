import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { packageRoot } from '../../src/core/file/package-root.ts';

export const sourceRoot: string = join(packageRoot, 'src');

/** Every TypeScript file below a folder, as absolute paths. */
export function listFiles(folder: string, ending = '.ts'): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('node_modules') && !file.includes(`${join('test', 'fixture')}`))
    .sort();
}

export interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
  readonly isDynamic: boolean;
}

const STATIC = /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'";]*?from\s*['"](\.[^'"]+)['"]/g;
const BARE = /(?:^|\n)\s*import\s*['"](\.[^'"]+)['"]/g;
const DYNAMIC = /import\(\s*['"](\.[^'"]+)['"]\s*\)/g;

/** The relative imports of a file, resolved. */
export function listImports(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const to = (specifier: string): string => resolve(dirname(file), specifier);
  return [
    ...[...text.matchAll(STATIC)].map((m) => ({
      from: file,
      to: to(m[2] as string),
      isType: Boolean(m[1]),
      isDynamic: false,
    })),
    ...[...text.matchAll(BARE)].map((m) => ({ from: file, to: to(m[1] as string), isType: false, isDynamic: false })),
    ...[...text.matchAll(DYNAMIC)].map((m) => ({ from: file, to: to(m[1] as string), isType: false, isDynamic: true })),
  ];
}

/** The layer of a file: its first folder below src, or the file's own name at the top. */
export function toLayer(file: string): string {
  const parts = relative(sourceRoot, file).split('/');
  return parts[0] as string;
}

export const toName = (file: string): string => relative(packageRoot, file);
