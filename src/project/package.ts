import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../core/errors.ts';
import { toProjectFile, toThrownProblem } from './module-fault.ts';
import type { ModuleLoader } from './module-loader.ts';

/** A folder of the project's own code. */
export interface FoundPackage {
  /** Name by which it is asked for: `/app/www`. */
  readonly name: string;
  /** Absolute folder. */
  readonly folder: string;
  /** Absolute path of its include file. */
  readonly include: string;
}

export interface LoadPackagesOptions<T> {
  /** Project root, absolute. */
  readonly root: string;
  readonly loader: ModuleLoader;
  /** Makes what each function of the package is called with. */
  readonly makePackage: (name: string, folder: string) => T;
  /** Only these, such as `/app/www`. Default: all that there are. */
  readonly names?: readonly string[];
}

export interface LoadedPackages<T> {
  /** By name, in the order of loading; those that failed are left out. */
  readonly packages: ReadonlyMap<string, T>;
  readonly problems: readonly Problem[];
}

const INCLUDES = ['.treadle.ts', '.treadle.js', '.treadle.mjs', '.treadle.cjs'] as const;

/** Packages of a project: every folder `app/<name>` with an include file, by name. */
export function findPackages(root: string): FoundPackage[] {
  const app = join(root, 'app');
  if (!existsSync(app)) return [];
  return readdirSync(app)
    .sort()
    .flatMap((entry) => {
      const folder = join(app, entry);
      const include = INCLUDES.map((name) => join(folder, name)).find((path) => existsSync(path));
      return include === undefined ? [] : [{ name: `/app/${entry}`, folder, include }];
    });
}

type Part = (owner: unknown) => unknown;

function readParts(exports: unknown): readonly unknown[] {
  const isModule = typeof exports === 'object' && exports !== null;
  const main = isModule && 'default' in exports ? exports.default : exports;
  if (Array.isArray(main)) return main;
  return typeof main === 'function' ? [main] : [];
}

const HINT = 'Write: export default [template, statics, article, events];';

function toExportProblem(root: string, found: FoundPackage, message: string): Problem {
  return { code: 'PROJECT_PACKAGE_EXPORT', file: toProjectFile(root, found.include), path: '', message, hint: HINT };
}

async function loadPackage<T>(found: FoundPackage, options: LoadPackagesOptions<T>): Promise<T | Problem[]> {
  const { root, loader, makePackage } = options;
  const result = loader.load(found.include);
  if (!result.isLoaded) return [result.problem];
  const parts = readParts(result.exports);
  if (parts.length === 0) {
    return [toExportProblem(root, found, `The package ${found.name} exports no function by default.`)];
  }
  const strangers = [...parts.entries()].filter(([, part]) => typeof part !== 'function');
  if (strangers.length > 0) {
    return strangers.map(([index, part]) =>
      toExportProblem(
        root,
        found,
        `Entry ${index + 1} of what ${found.name} exports by default is no function but ${part === null ? 'null' : typeof part}.`,
      ),
    );
  }
  const owner = makePackage(found.name, found.folder);
  const problems: Problem[] = [];
  for (const part of parts as readonly Part[]) {
    try {
      await part(owner);
    } catch (error) {
      const doing = part.name === '' ? `A function of ${found.name}` : `The function ${part.name} of ${found.name}`;
      problems.push(toThrownProblem(error, { root, path: found.include, doing, code: 'PROJECT_PACKAGE_THREW' }));
    }
  }
  return problems.length > 0 ? problems : owner;
}

/** Loads the project's packages and calls what their include files export, in order. */
export async function loadPackages<T>(options: LoadPackagesOptions<T>): Promise<LoadedPackages<T>> {
  const packages = new Map<string, T>();
  const problems: Problem[] = [];
  for (const found of findPackages(options.root)) {
    if (options.names !== undefined && !options.names.includes(found.name)) continue;
    const loaded = await loadPackage(found, options);
    if (Array.isArray(loaded)) problems.push(...(loaded as Problem[]));
    else packages.set(found.name, loaded);
  }
  return { packages, problems };
}
