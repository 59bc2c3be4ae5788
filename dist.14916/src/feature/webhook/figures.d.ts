import type { Database } from '../../database/database.ts';
/** Figures of the log and the receivers, with the names of the event's results. */
export declare function readFigures(database: Database, hooks: Iterable<string>, now: number): Promise<Readonly<Record<string, number>>>;
