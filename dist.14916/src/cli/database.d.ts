import type { Database } from '../database/database.ts';
import type { Settings } from '../model/shape.ts';
import type { Invocation } from './spec.ts';
/** The project's settings with the overrides of its environment; the definitions may be invalid. */
export declare function readSettings({ root, env }: Pick<Invocation, 'root' | 'env'>): Promise<Settings>;
/**
 * Opens a database and closes it afterwards. If it may not be created, an empty database in memory replaces a missing
 * file.
 */
export declare function withDatabase<T>({ root, url, isMaking }: {
    readonly root: string;
    readonly url: string;
    readonly isMaking: boolean;
}, work: (database: Database) => Promise<T>): Promise<T>;
/** Reads from the project's database; from an empty one if it does not exist. */
export declare function askDatabase<T>(invocation: Invocation, ask: (database: Database) => Promise<T>): Promise<T>;
