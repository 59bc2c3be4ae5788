import type { ActualTable } from '../structure.ts';
import type { Table } from '../table.ts';
import { type PlanContext } from './context.ts';
/** Restores the rows of a copy into the recreated table. */
export declare function restoreRowsSql(state: Table, copy: string, dialect: PlanContext['dialect']): string[];
/** Drops a table without a schema, or one that is replaced; a copy keeps its rows. */
export declare function dropTable(actual: ActualTable, context: PlanContext): Promise<void>;
/** A user's table that refers to a table to be dropped. */
export declare function findForeigner(table: string, context: PlanContext): string | undefined;
/** Keeps a table of Treadle's without a schema, but removes its foreign keys to served tables. */
export declare function keepTable(actual: ActualTable, context: PlanContext): Promise<void>;
