import type { CompareTools, MigrationStep } from './migration-step.ts';
import type { Table } from './table.ts';
/**
 * The steps that bring each search index up to date. They follow the steps of the tables.
 *
 * @param steps Steps of the tables: if a whole table is refused, its index waits.
 * @param stale Tables with an index to rebuild: another table had the name, or values change.
 */
export declare function compareWords(tables: readonly Table[], tools: CompareTools, steps?: readonly MigrationStep[], stale?: ReadonlySet<string>): Promise<MigrationStep[]>;
