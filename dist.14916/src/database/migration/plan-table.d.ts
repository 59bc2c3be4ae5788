import { type MigrationStep } from '../migration-step.ts';
import type { ActualTable } from '../structure.ts';
import type { Table, TableColumn } from '../table.ts';
import { type PlanContext } from './context.ts';
/** The steps that change an existing table to the wanted one. */
export declare function planTable(table: Table, actual: ActualTable, context: PlanContext): Promise<void>;
/** A foreign key on PostgreSQL, created once every table exists. */
export declare function keyStep(table: string, column: TableColumn): MigrationStep;
/** A table without foreign keys to tables that do not and will not exist. */
export declare function toCreated(table: Table, context: PlanContext): Table;
