import type { Problem } from '../core/errors.ts';
import type { CodeStore } from './code-store.ts';
import { type OwnTimers } from './own-timer.ts';
type Compiled = (exports: object, require: (specifier: string) => unknown, module: LoadedModule, filename: string, dirname: string, ...timers: unknown[]) => void;
interface LoadedModule {
    exports: unknown;
}
interface CacheEntry {
    /** Inode, size and modification time: identifies the state of a file. */
    readonly state: string;
    readonly compiled: Compiled;
}
/** Compiled code by file, kept across reloads; holds only the last state of each file. */
export type ModuleCache = Map<string, CacheEntry>;
export declare const createModuleCache: () => ModuleCache;
type LoadResult = {
    readonly isLoaded: true;
    readonly exports: unknown;
} | {
    readonly isLoaded: false;
    readonly problem: Problem;
};
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
/**
 * Loads TypeScript without a build step: removes types, turns imports into CommonJS, and keeps lines so
 * that stack traces are right. Node loads and caches its own modules and packages.
 */
export declare function createModuleLoader(options: ModuleLoaderOptions): ModuleLoader;
export {};
