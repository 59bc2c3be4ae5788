import { type CompiledQuery, type Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { FigureSource } from '../../core/figure.ts';
import type { Log } from '../../core/log.ts';
import type { ReadFigures } from '../admission.ts';
import type { Collected, Database, Row, WriteOptions } from '../database.ts';
import { type HealthFault } from '../health.ts';
import { type ReadCost } from '../read-cost.ts';
import { RecentVersions } from '../recent-versions.ts';
import type { Connection } from './connection.ts';
import type { SqliteHealth } from './health.ts';
import type { Readers } from './readers.ts';
import type { Writer } from './writer.ts';
export interface SqliteParts {
    readonly connection: Connection;
    readonly writer: Writer;
    /** Undefined for a database in memory, which has a single connection. */
    readonly readers: Readers | undefined;
    /** Opens another reading connection; undefined for a database in memory. */
    readonly openReader?: (() => Promise<Connection>) | undefined;
    /** Undefined for a database in memory. */
    readonly health?: SqliteHealth | undefined;
    /** True to check the file every second, even without writes. For a server. */
    readonly isWatching?: boolean;
    /** Absolute; undefined for a database in memory. */
    readonly file?: string | undefined;
    /** Called once all connections are closed. */
    readonly closed?: () => Promise<void>;
    readonly log: Log;
    readonly clock: Clock;
}
/** {@link Database} on SQLite: one writing connection, several reading ones. */
export declare class SqliteDatabase implements Database {
    #private;
    readonly dialect = "sqlite";
    readonly kysely: Kysely<Record<string, Row>>;
    readonly tableVersions: () => Promise<import("../table-version.ts").TableVersions>;
    readonly recentVersions: RecentVersions;
    constructor(parts: SqliteParts);
    figures(): readonly FigureSource[];
    get isInTransaction(): boolean;
    /** Undefined for a database in memory. */
    get reads(): ReadFigures | undefined;
    run<R = Row>(query: CompiledQuery, parameters?: readonly unknown[], about?: ReadCost): Promise<R[]>;
    writeOne(query: CompiledQuery, parameters: readonly unknown[], collect: (rows: readonly Row[]) => Collected | undefined): Promise<Row[]>;
    write<T>(unit: () => Promise<T>, { isPatient, isAlone }?: WriteOptions): Promise<T>;
    transaction<T>(fn: () => Promise<T>, seconds?: number): Promise<T>;
    restructure<T>(fn: () => Promise<T>, isRebuilding?: boolean): Promise<T>;
    snapshot<T>(fn: () => Promise<T>): Promise<T>;
    health(): Promise<readonly HealthFault[]>;
    structureVersion(): Promise<string>;
    version(): Promise<string>;
    trackTables(tables: readonly string[]): Promise<void>;
    touchTables(): Promise<void>;
    afterRollback(task: () => Promise<void>): void;
    afterCommit(task: () => Promise<void>): Promise<void>;
    /** Waits for running work, checkpoints the log and closes. */
    close(): Promise<void>;
}
