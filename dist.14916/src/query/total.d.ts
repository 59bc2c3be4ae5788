import type { Database } from '../database/database.ts';
/**
 * Remembers the number of rows of a search until any process writes one of its tables. A count reads every
 * matching row, a page only its own rows, and searches are far more frequent than writes.
 */
export declare class Totals {
    #private;
    /**
     * The total of a search: remembered if still valid, else counted. A transaction always counts, since it sees
     * its own changes.
     *
     * @param key What the count depends on, and nothing else.
     * @param tables The tables that are counted. Default: unknown, so that every commit makes the total outdated.
     */
    find(database: Database, key: string, count: () => Promise<number>, tables?: readonly string[]): Promise<number>;
}
