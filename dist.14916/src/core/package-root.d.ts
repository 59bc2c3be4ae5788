/**
 * Treadle's installation folder with `templates/`, `scaffold/` and `package.json`, whether run from src or
 * dist.
 */
export declare const packageRoot: string;
/** Treadle's version, from its package.json. */
export declare const packageVersion: string;
