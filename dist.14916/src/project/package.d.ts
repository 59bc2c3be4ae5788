import type { Problem } from '../core/errors.ts';
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
}
export interface LoadedPackages<T> {
    /** Loaded packages by name, in order of loading; failed ones are left out. */
    readonly packages: ReadonlyMap<string, T>;
    readonly problems: readonly Problem[];
}
/** Packages of a project: every folder `app/<name>` with an include file, sorted by name. */
export declare function findPackages(root: string): FoundPackage[];
/** Problems of the project's code, without running it: reported even if the definitions are broken. */
export declare function checkPackages(root: string, loader: ModuleLoader): Problem[];
/** Loads the project's packages and calls the functions that their include files export, in order. */
export declare function loadPackages<T>(options: LoadPackagesOptions<T>): Promise<LoadedPackages<T>>;
