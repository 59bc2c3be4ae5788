/** Extensions that an import may leave out, in the order in which they are tried. */
export declare const EXTENSIONS: readonly ['.ts', '.tsx', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'];
/** Whether a path is a file; false if a parent of it is a file. */
export declare function isFile(path: string): boolean;
/** Whether a specifier is a path, not the name of a package. */
export declare const isPathSpecifier: (specifier: string) => boolean;
/** The file for a path specifier, relative to the importing file; undefined if it does not exist. */
export declare function resolvePath(specifier: string, from: string): string | undefined;
