import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../core/errors.ts';
import { createThrownProblem, toProjectFile } from './module-error.ts';
import type { ModuleLoader } from './module-loader.ts';

/** A folder of the project's own code. */
export interface FoundPackage {
  /** Package name: `/app/www`. */
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
  /** Creates the argument of each function of the package. */
  readonly makePackage: (name: string, folder: string) => T;
  /** Packages to load, such as `/app/www`. Default: all. */
  readonly names?: readonly string[];
  /** True to advise on files that nothing imports. Default false: a server does not look for them. */
  readonly findsUnused?: boolean;
}

export interface LoadedPackages<T> {
  /** Loaded packages by name, in order of loading; failed ones are left out. */
  readonly packages: ReadonlyMap<string, T>;
  readonly problems: readonly Problem[];
}

const INCLUDES = ['.treadle.ts', '.treadle.js', '.treadle.mjs', '.treadle.cjs'] as const;

/** Packages of a project: every folder `app/<name>` with an include file, sorted by name. */
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
const isPart = (value: unknown): value is Part => typeof value === 'function';

function readParts(exports: unknown): readonly unknown[] {
  const isModule = typeof exports === 'object' && exports !== null;
  const main = isModule && 'default' in exports ? exports.default : exports;
  if (Array.isArray(main)) return main;
  return typeof main === 'function' ? [main] : [];
}

const HINT = 'Write: export default [template, statics, article, events];';

function createExportProblem(root: string, found: FoundPackage, message: string): Problem {
  return { code: 'PROJECT_PACKAGE_EXPORT', file: toProjectFile(root, found.include), path: '', message, hint: HINT };
}

const SOURCE = /\.(?:[cm]?ts|tsx|[cm]?js)$/;

/** Problems of every file of a package that does not parse; runs none of them. */
function checkPackage({ folder }: FoundPackage, loader: ModuleLoader): Problem[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => SOURCE.test(name) && !name.endsWith('.d.ts') && !name.includes('node_modules'))
    .sort()
    .flatMap((name) => loader.check(join(folder, name)) ?? []);
}

/** Problems of the project's code, without running it: reported even if the definitions are broken. */
export function checkPackages(root: string, loader: ModuleLoader): Problem[] {
  return [...findUnincluded(root), ...findPackages(root).flatMap((found) => checkPackage(found, loader))];
}

/** Folders of `app/` that hold code but no include file, so that nothing in them is loaded. */
function findUnincluded(root: string): Problem[] {
  const app = join(root, 'app');
  if (!existsSync(app)) return [];
  const known = new Set(findPackages(root).map(({ folder }) => folder));
  return readdirSync(app)
    .filter((entry) => existsSync(join(app, entry, 'src')) && !known.has(join(app, entry)))
    .map((entry) => ({
      code: 'PROJECT_PACKAGE_INCLUDE',
      file: `app/${entry}`,
      path: '',
      message: `The folder app/${entry} has no .treadle.ts, so it is not loaded.`,
      hint: `Write app/${entry}/.treadle.ts, which imports its functions. ${HINT}`,
      severity: 'advice',
    }));
}

async function loadPackage<T>(
  found: FoundPackage,
  options: LoadPackagesOptions<T>,
): Promise<{ readonly owner?: T; readonly problems: readonly Problem[] }> {
  const { root, loader, makePackage } = options;
  const result = loader.load(found.include);
  if (!result.isLoaded) {
    // Loading stops at the first broken file, so all files are checked to report every problem.
    const { problem } = result;
    return { problems: [problem, ...checkPackage(found, loader).filter(({ file }) => file !== problem.file)] };
  }
  const parts = readParts(result.exports);
  if (parts.length === 0) {
    const message = `The package ${found.name} has no function as default export.`;
    return { problems: [createExportProblem(root, found, message)] };
  }
  const owner = makePackage(found.name, found.folder);
  const problems: Problem[] = [];
  for (const [index, part] of parts.entries()) {
    if (!isPart(part)) {
      const kind = part === null ? 'null' : typeof part;
      const message = `Entry ${index + 1} of the default export of ${found.name} is not a function but ${kind}.`;
      problems.push(createExportProblem(root, found, message));
      continue;
    }
    try {
      await part(owner);
    } catch (error) {
      const doing = part.name === '' ? `A function of ${found.name}` : `The function ${part.name} of ${found.name}`;
      problems.push(createThrownProblem(error, { root, path: found.include, doing, code: 'PROJECT_PACKAGE_THREW' }));
    }
  }
  return problems.length > 0 ? { problems } : { owner, problems };
}

/** Loads the project's packages and calls the functions that their include files export, in order. */
export async function loadPackages<T>(options: LoadPackagesOptions<T>): Promise<LoadedPackages<T>> {
  const packages = new Map<string, T>();
  const problems: Problem[] = findUnincluded(options.root);
  for (const found of findPackages(options.root)) {
    if (options.names !== undefined && !options.names.includes(found.name)) continue;
    const loaded = await loadPackage(found, options);
    problems.push(...loaded.problems);
    if (loaded.owner !== undefined) packages.set(found.name, loaded.owner);
  }
  if (options.findsUnused === true) problems.push(...findUnusedFiles(options.root, options.loader.files));
  return { packages, problems };
}

/** Types, tests, templates and their parts are read in other ways. */
const OTHER = /\.d\.[cm]?ts$|\.(?:test|spec)\.|(?:^|[\\/])(?:node_modules|template|test|__tests__)[\\/]/;
/** Folders in which every file is a part of the package; elsewhere one that exports a function by default is. */
const PARTS = /^src[\\/](?:controller|bootstrap)[\\/]/;
const EXPORTS_PART = /^export default (?:async )?(?:function|\()/m;

/** Advice on files of a package that hold a part of it, such as routes, but that nothing imports: they never run. */
function findUnusedFiles(root: string, loaded: readonly string[]): Problem[] {
  const known = new Set(loaded);
  return findPackages(root)
    .filter(({ include }) => known.has(include))
    .flatMap(({ name, folder, include }) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /^src[\\/]/.test(file) && SOURCE.test(file) && !OTHER.test(file))
        .filter((file) => !known.has(join(folder, file)))
        .filter((file) => PARTS.test(file) || EXPORTS_PART.test(readFileSync(join(folder, file), 'utf8')))
        .sort()
        .map((file): Problem => {
          const path = `app${name.slice('/app'.length)}/${file.replaceAll('\\', '/')}`;
          const main = include.slice(folder.length + 1);
          const message = `Nothing imports ${path}, so it never runs.`;
          const hint = `Import it in app${name.slice('/app'.length)}/${main} and add it to the list there, or remove the file.`;
          return { code: 'PROJECT_FILE_UNUSED', file: path, path: '', message, hint, severity: 'advice' };
        }),
    );
}
