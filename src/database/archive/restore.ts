import type { Database } from '../database.ts';
import { findServedMode } from '../served-mode.ts';
import type { Table } from '../table.ts';
import type { Archive, VerifyResult } from './read-archive.ts';
import { checkLoss, listPresent, type ReplaceResult, replaceAll } from './replace.ts';
import { UploadWriter } from './upload.ts';
import type { Progress } from './write.ts';

export interface RestoreOptions {
  readonly archive: Archive;
  readonly database: Database;
  /** Tables of the current model; undefined to leave the database as it was backed up. */
  readonly desired: readonly Table[] | undefined;
  readonly allowLoss: boolean;
  /** Folder of the uploaded files, absolute; undefined to leave them out. */
  readonly uploads: string | undefined;
  readonly isDryRun?: boolean;
  readonly progress?: (stage: 'check' | 'load', progress: Progress) => void;
}

export interface RestoreResult extends ReplaceResult {
  readonly verified: VerifyResult;
  readonly files: { readonly written: number; readonly same: number };
}

/** Adds the uploaded files before the commit: until then no row refers to them. */
async function writeUploads(archive: Archive, writer: UploadWriter): Promise<void> {
  for await (const entry of archive.entries()) {
    if ('batch' in entry || 'table' in entry) continue;
    if ('file' in entry) await writer.begin(entry.file);
    else if ('part' in entry) await writer.part(entry.part);
    else await writer.end(entry.sha256);
  }
}

/**
 * Replaces the data of a database with an archive, all or nothing, and migrates it to the current model.
 * Reads the whole archive first, so that a damaged one changes nothing.
 * @throws ARCHIVE_BROKEN, ARCHIVE_TARGET_LOSS, ARCHIVE_ROW_REFUSED, ARCHIVE_DIFFERS, ARCHIVE_FILE_DIFFERS
 */
export async function restoreArchive(options: RestoreOptions): Promise<RestoreResult> {
  const { archive, database, desired, allowLoss, progress } = options;
  const lost = checkLoss(
    await listPresent(database, { source: archive, desired }),
    allowLoss || options.isDryRun === true,
  );
  let done = 0;
  const verified = await archive.verify((rows) => {
    done += rows;
    progress?.('check', { total: 0, done, table: '' });
  });
  if (options.isDryRun) {
    const served = await findServedMode(database);
    const nothing = { sums: verified.sums, lost, applied: [], refused: [], served };
    return { ...nothing, verified, files: { written: 0, same: 0 } };
  }
  const writer = options.uploads === undefined ? undefined : new UploadWriter(options.uploads);
  done = 0;
  try {
    if (writer !== undefined && verified.files > 0) await writeUploads(archive, writer);
    const replaced = await replaceAll({
      database,
      source: archive,
      desired,
      allowLoss,
      told(rows, table) {
        done += rows;
        progress?.('load', { total: verified.rows, done, table });
      },
    });
    return { ...replaced, verified, files: { written: writer?.written ?? 0, same: writer?.same ?? 0 } };
  } catch (error) {
    await writer?.undo();
    throw error;
  }
}
