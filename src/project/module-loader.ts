import { readFileSync, statSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import type * as sucrase from 'sucrase';
import { BoundedMap } from '../core/bounded-map.ts';
import type { Problem } from '../core/errors.ts';
import { suggest } from '../core/text/suggest.ts';
import { parseJsonText } from '../model/json/json-text.ts';
import type { CodeStore } from './code-store.ts';
import {
  createSyntaxProblem,
  createThrownProblem,
  findImportLine,
  ModuleError,
  toProjectFile,
} from './module-error.ts';
import { type OwnTimers, TIMER_NAMES } from './own-timer.ts';

/** Extensions that an import may leave out, in the order in which they are tried. */
const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'] as const;

/** Whether a path is a file; false if a parent of it is a file. */
function isFile(path: string): boolean {
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
const isPathSpecifier = (specifier: string): boolean => /^(?:\.\.?(?:\/|$)|\/|file:)/.test(specifier);

/** The file for a path specifier, relative to the importing file; undefined if it does not exist. */
function resolvePath(specifier: string, from: string): string | undefined {
  const base = specifier.startsWith('file:') ? fileURLToPath(specifier) : resolve(dirname(from), specifier);
  const isFolderOnly = /(?:^|\/)\.{0,2}$/.test(specifier);
  const typed = base.replace(/\.[mc]?js$/, (extension) => TYPED.get(extension) ?? extension);
  const files = isFolderOnly ? [] : [base, ...(typed === base ? [] : [typed]), ...EXTENSIONS.map((end) => base + end)];
  return [...files, ...EXTENSIONS.map((end) => join(base, `index${end}`))].find(isFile);
}

/** Takes what {@link NAMES} and the timers name. */
type ModuleFunction = ReturnType<typeof compileFunction>;

interface LoadedModule {
  exports: unknown;
}

interface CacheEntry {
  /** Inode, size and modification time: identifies the state of a file. */
  readonly state: string;
  readonly compiled: ModuleFunction;
}

/** Compiled code by file, cached across reloads; holds only the last state of each file. */
export type ModuleCache = Map<string, CacheEntry>;
export const createModuleCache = (): ModuleCache => new Map();

type LoadResult =
  | { readonly isLoaded: true; readonly exports: unknown }
  | { readonly isLoaded: false; readonly problem: Problem };

/** Loads a project's own code. Created for each reload, so that modules run again. */
export interface ModuleLoader {
  /** Loads a file once; errors are returned as problems. */
  load(file: string): LoadResult;
  /** Parses a file without running it; returns the problem, if any. */
  check(file: string): Problem | undefined;
  /** Absolute paths of all loaded files. */
  readonly files: readonly string[];
}

export interface ModuleLoaderOptions {
  /** Project root, absolute. */
  readonly root: string;
  /** The module that `import … from 'treadle'` returns. */
  readonly provided: object;
  /** Default: none, every file is compiled. */
  readonly cache?: ModuleCache;
  /** Keeps transformed code between starts. Default: none. */
  readonly store?: CodeStore | undefined;
  /** What modules get as timers. Default: Node's own. */
  readonly timers?: OwnTimers | undefined;
}

const TOOLKIT = 'treadle';

function toTransforms(extension: string): sucrase.Transform[] | undefined {
  if (extension === '.cjs') return [];
  if (extension === '.ts' || extension === '.mts' || extension === '.cts') return ['typescript', 'imports'];
  if (extension === '.tsx') return ['typescript', 'imports', 'jsx'];
  return extension === '.js' || extension === '.mjs' ? ['imports'] : undefined;
}

function toState(path: string): string {
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

/** Loaded only to transform a file; with a code store that is rare. */
const load: (name: 'sucrase') => typeof sucrase = createRequire(import.meta.url);

/** More than the code files of most projects. */
const CACHED_STRIPPED = 200;
/** Code by source: each check of a changed project loads a copy of it, in which most files are the same. */
const stripped = new BoundedMap<string>(CACHED_STRIPPED);

function strip(path: string, transforms: sucrase.Transform[]): string {
  const source = readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .replace(/^#!.*/, '');
  return stripped.getOrCreate(`${transforms.join(' ')}\n${source}`, () => {
    const { transform } = load('sucrase');
    return transform(source, { transforms, filePath: path, disableESTransforms: true, production: true }).code;
  });
}

interface CompileInput {
  readonly root: string;
  readonly path: string;
  readonly state: string;
  readonly store: CodeStore | undefined;
}

/**
 * Compiles TypeScript (types removed, imports to CommonJS, lines kept) to a function that can run many
 * times.
 */
function compile({ root, path, state, store }: CompileInput): ModuleFunction {
  const transforms = toTransforms(extname(path));
  if (transforms === undefined) {
    throw new ModuleError({
      code: 'PROJECT_MODULE_KIND',
      file: toProjectFile(root, path),
      path: '',
      message: `A ${extname(path) || 'file without extension'} cannot be imported.`,
      hint: `Supported: ${EXTENSIONS.join(', ')}.`,
    });
  }
  try {
    const stored = store?.find(path, state);
    const code = stored ?? strip(path, transforms);
    const compiled = toFunction(code, path);
    if (stored === undefined) store?.put(path, state, code);
    return compiled;
  } catch (error) {
    throw new ModuleError(createSyntaxProblem(root, path, error));
  }
}

const NAMES = ['exports', 'require', 'module', '__filename', '__dirname'];
/** V8's message for a module that declares a name which is a parameter too. */
const DECLARED = /Identifier '(?:set|clear)(?:Timeout|Interval)' has already been declared/;

/** The timers are parameters, so that a reload can end those of the code before. */
function toFunction(code: string, filename: string): ModuleFunction {
  try {
    return compileFunction(code, [...NAMES, ...TIMER_NAMES], { filename });
  } catch (error) {
    if (!(error instanceof SyntaxError) || !DECLARED.test(error.message)) throw error;
    return compileFunction(code, NAMES, { filename });
  }
}

class Registry {
  readonly #root: string;
  readonly #provided: object;
  readonly #cache: ModuleCache;
  readonly #store: CodeStore | undefined;
  readonly #timers: OwnTimers | undefined;
  readonly modules = new Map<string, LoadedModule>();

  constructor(options: ModuleLoaderOptions) {
    this.#root = options.root;
    this.#provided = options.provided;
    this.#cache = options.cache ?? createModuleCache();
    this.#store = options.store;
    this.#timers = options.timers;
  }

  load(path: string): unknown {
    const known = this.modules.get(path);
    // As in CommonJS, a circular import gets the exports so far.
    if (known) return known.exports;
    const loaded: LoadedModule = { exports: {} };
    this.modules.set(path, loaded);
    try {
      if (extname(path) === '.json') loaded.exports = this.#readJson(path);
      else this.#run(path, loaded);
    } catch (error) {
      this.modules.delete(path);
      throw error;
    }
    return loaded.exports;
  }

  #run(path: string, loaded: LoadedModule): void {
    const compiled = this.#compile(path);
    const require = (specifier: string): unknown => this.#require(String(specifier), path);
    const timers = TIMER_NAMES.map((name) => this.#timers?.globals[name] ?? globalThis[name]);
    compiled.call(loaded.exports, loaded.exports, require, loaded, path, dirname(path), ...timers);
  }

  check(path: string): Problem | undefined {
    try {
      this.#compile(path);
      return undefined;
    } catch (error) {
      if (error instanceof ModuleError) return error.problem;
      throw error;
    }
  }

  #compile(path: string): ModuleFunction {
    const state = toState(path);
    const known = this.#cache.get(path);
    if (known?.state === state) return known.compiled;
    const compiled = compile({ root: this.#root, path, state, store: this.#store });
    this.#cache.set(path, { state, compiled });
    return compiled;
  }

  #readJson(path: string): unknown {
    const { value, error } = parseJsonText(readFileSync(path, 'utf8'));
    if (error === undefined) return value;
    const { line, column } = error;
    const message = `This is not JSON: ${error.message}.`;
    const file = toProjectFile(this.#root, path);
    throw new ModuleError({
      code: 'PROJECT_MODULE_SYNTAX',
      file,
      path: '',
      line,
      column,
      message,
      hint: 'Correct it there.',
    });
  }

  #require(specifier: string, from: string): unknown {
    if (specifier === TOOLKIT) return this.#provided;
    if (specifier.startsWith(`${TOOLKIT}/`)) {
      throw this.#createError(
        specifier,
        from,
        `"${specifier}" is not public.`,
        `Import from "${TOOLKIT}" what you need.`,
      );
    }
    if (isPathSpecifier(specifier)) {
      const path = resolvePath(specifier, from);
      if (path !== undefined) return this.load(path);
      const hint = 'Check the spelling and the path; the extension may be omitted.';
      throw this.#createError(specifier, from, `There is no file "${specifier}".`, hint);
    }
    return this.#requirePackage(specifier, from);
  }

  #requirePackage(specifier: string, from: string): unknown {
    const own = this.#findTimers(specifier);
    if (own !== undefined) return own;
    const require = createRequire(from);
    let resolved: string;
    try {
      resolved = require.resolve(specifier);
    } catch {
      const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
      const isWrong = isBuiltin(specifier) || specifier.startsWith('node:');
      const near = suggest(name, [TOOLKIT]);
      const install = near === undefined ? `Install it: npm install ${name}.` : `Did you mean "${near}"?`;
      const hint = isWrong ? 'Check the spelling.' : install;
      throw this.#createError(specifier, from, `The package "${specifier}" does not exist.`, hint);
    }
    try {
      return require(resolved);
    } catch (error) {
      const text = error instanceof Error ? error.message.split('\n')[0] : String(error);
      const hint = 'Check what the package requires.';
      throw this.#createError(specifier, from, `The package "${specifier}" could not be loaded: ${text}.`, hint);
    }
  }

  #findTimers(specifier: string): object | undefined {
    const name = specifier.replace(/^node:/, '');
    if (name === 'timers') return this.#timers?.module;
    return name === 'timers/promises' ? this.#timers?.promises : undefined;
  }

  #createError(specifier: string, from: string, message: string, hint: string): ModuleError {
    const line = findImportLine(from, specifier);
    const file = toProjectFile(this.#root, from);
    const place = line === undefined ? {} : { line };
    return new ModuleError({ code: 'PROJECT_MODULE_MISSING', file, path: '', ...place, message, hint });
  }
}

/**
 * Loads TypeScript without a build step: removes types, turns imports into CommonJS, and keeps lines so
 * that stack traces are right. Node loads and caches its own modules and packages.
 */
export function createModuleLoader(options: ModuleLoaderOptions): ModuleLoader {
  const registry = new Registry(options);
  return {
    load(file) {
      const path = resolve(options.root, file);
      try {
        const found = isFile(path) ? path : resolvePath(path, path);
        if (found === undefined) return { isLoaded: false, problem: createMissingProblem(options.root, path) };
        return { isLoaded: true, exports: registry.load(found) };
      } catch (error) {
        const context = { root: options.root, path, doing: 'Loading it', code: 'PROJECT_MODULE_THREW' };
        return { isLoaded: false, problem: createThrownProblem(error, context) };
      }
    },
    check: (file) => registry.check(resolve(options.root, file)),
    get files() {
      return [...registry.modules.keys()];
    },
  };
}

function createMissingProblem(root: string, path: string): Problem {
  const file = toProjectFile(root, path);
  const message = 'There is no such file.';
  return { code: 'PROJECT_MODULE_MISSING', file, path: '', message, hint: 'Check the spelling and the path.' };
}
