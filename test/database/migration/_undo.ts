import type { Database } from '../../../src/database/database.ts';
import { planUndo, type UndoPlan } from '../../../src/database/migration/undo.ts';
import { type ApplyOptions, applyMigration, type MigrationResult, replan } from '../../../src/database/migration.ts';

/** Undoes the last migration, as `treadle migrate undo --yes` does. */
export function undoMigration(database: Database, options: ApplyOptions = {}): Promise<UndoPlan & MigrationResult> {
  return replan(
    () => planUndo(database, options),
    ({ plan }) => applyMigration(database, plan, options),
  );
}
