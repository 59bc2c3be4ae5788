import { CompiledQuery, type Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { FigureSource } from '../../core/figure.ts';
import type { Log } from '../../core/log.ts';
import type { ReadFigures } from '../admission.ts';
import type { Database, Row } from '../database.ts';
import type { HealthFault } from '../health.ts';
import { type ReadCost } from '../read-cost.ts';
import { RecentVersions } from '../recent-versions.ts';
import { type AnnouncerOptions } from './announcer.ts';
import type { ConnectionPool } from './pool.ts';
export interface PostgresParts {
    readonly pool: ConnectionPool;
    /** Connections of the pool. */
    readonly size: number;
    /** Milliseconds that a read of a request may wait, and then run. */
    readonly readMilliseconds: () => number;
    /** Cancels a backend's statement over another connection. */
    readonly cancel: (pid: number) => Promise<void>;
    readonly log: Log;
    readonly clock: Clock;
    readonly announcer: Pick<AnnouncerOptions, 'schema' | 'createClient'>;
}
/** {@link Database} on a pool of connections to a PostgreSQL server. */
export declare class PostgresDatabase implements Database {
    #private;
    readonly dialect = "postgres";
    readonly kysely: Kysely<Record<string, Row>>;
    readonly tableVersions: () => Promise<import("../table-version.ts").TableVersions>;
    readonly recentVersions: RecentVersions;
    constructor(parts: PostgresParts);
    figures(): readonly FigureSource[];
    get isInTransaction(): boolean;
    get reads(): ReadFigures;
    run<R = Row>(query: CompiledQuery, parameters?: readonly unknown[], about?: ReadCost): Promise<R[]>;
    write<T>(unit: () => Promise<T>): Promise<T>;
    transaction<T>(fn: () => Promise<T>, seconds?: number): Promise<T>;
    serializable<T>(fn: () => Promise<T>): Promise<T>;
    mayRepeat(error: unknown): boolean;
    lock(name: string): Promise<void>;
    restructure<T>(fn: () => Promise<T>, _isRebuilding?: boolean, lock?: string): Promise<T>;
    snapshot<T>(fn: () => Promise<T>): Promise<T>;
    afterRollback(task: () => Promise<void>): void;
    afterCommit(task: () => Promise<void>): Promise<void>;
    /**
     * If the server accepts no writes, the next check uses another connection: the setting may belong to this
     * one only.
     */
    health(): Promise<readonly HealthFault[]>;
    version(): Promise<string>;
    trackTables(tables: readonly string[]): Promise<void>;
    touchTables(): Promise<void>;
    structureVersion(): Promise<string>;
    announce(topic: string): void;
    listen(topic: string, callback: () => void): () => void;
    /** Waits for running work, then closes the connections. */
    close(): Promise<void>;
}
