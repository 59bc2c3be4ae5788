import type { FigureSource } from '../../core/figure.ts';
import type { Database } from '../database.ts';
import type { ConnectionPool } from './pool.ts';
/** Metrics of a PostgreSQL database, without the log size, which belongs to the server. */
export declare function listPostgresFigures(database: Database, pool: ConnectionPool): readonly FigureSource[];
