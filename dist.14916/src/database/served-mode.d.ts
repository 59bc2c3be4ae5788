import type { Database, SystemTable } from './database.ts';
/**
 * The mode in which a server last started on this database: tells commands whether the host is for production
 * or development.
 */
export declare const servingTable: SystemTable;
/** The mode in which a server last served a database. */
export type ServedMode = 'development' | 'production';
/** The mode in which this database was last served; undefined if never. Its table must exist. */
export declare function readServedMode({ kysely }: Database): Promise<ServedMode | undefined>;
/** As {@link readServedMode}, for a database that may not be migrated yet. */
export declare const findServedMode: (database: Database) => Promise<ServedMode | undefined>;
/** The fingerprint of the root secret with which this database was last served; undefined if not recorded. */
export declare function readServedSecret({ kysely }: Database): Promise<string | undefined>;
/**
 * Records the mode in which this database is served. Its table must exist.
 *
 * @param secret Fingerprint of its root secret; null if unknown.
 */
export declare function writeServedMode({ kysely }: Database, mode: ServedMode, secret?: string | null): Promise<void>;
/**
 * Restores the mode after all rows of a database were replaced. The mode belongs to the host, not to the
 * data: otherwise a developer's backup would let commands on a production host migrate and call loopback.
 *
 * @param before The previous mode. If undefined, the rows may come from production, so the host counts as
 * production until `treadle dev` has served it.
 */
export declare function keepServedMode(database: Database, before: ServedMode | undefined): Promise<void>;
