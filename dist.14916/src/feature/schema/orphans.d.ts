import type { Database } from '../../database/database.ts';
import type { Files, StoredFile } from '../../project/file-store.ts';
/**
 * Stored files that no table refers to; copies made by migrations count as references. Young files are excluded,
 * because a row may be about to refer to them.
 *
 * @param before Milliseconds since 1970: files stored later are excluded.
 */
export declare function findOrphans(files: Files, database: Database, before: number): Promise<StoredFile[]>;
