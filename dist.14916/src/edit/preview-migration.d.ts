import type { Definitions } from '../model/definitions.ts';
import type { EditedProject } from './project.ts';
/**
 * Additional migration steps after a change of the definitions, in words. It compares with the project's own SQLite
 * file, if that exists, otherwise with an empty database migrated to the current definitions. It changes no stored
 * data. Undefined if it cannot be determined, for example without sqlite3's binding.
 */
export declare function previewMigration(project: EditedProject, before: Definitions, after: Definitions): Promise<string[] | undefined>;
