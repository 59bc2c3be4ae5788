import type { Table, TableColumn } from '../table.ts';
import { type PlanContext } from './context.ts';
/**
 * The value for rows without one in a required column: from `--default`, else the field's own default.
 * @throws MIGRATION_DEFAULT_INVALID if the field does not accept the value of `--default`.
 */
export declare function findFill(table: Table, column: TableColumn, context: PlanContext): Promise<string | number | undefined>;
