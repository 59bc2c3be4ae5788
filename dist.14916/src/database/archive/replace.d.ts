import type { Database } from '../database.ts';
import type { MigrationStep } from '../migration-step.ts';
import { type ServedMode } from '../served-mode.ts';
import { type Table } from '../table.ts';
import type { RowSource, TableSum } from './shape.ts';
/** An existing table with its rows. */
export interface Present {
    readonly name: string;
    readonly rows: number;
}
export interface ReplaceOptions {
    readonly database: Database;
    readonly source: RowSource;
    /** Tables of the current model, to which the loaded data is migrated; undefined to leave it as it was. */
    readonly desired: readonly Table[] | undefined;
    /** Whether existing rows may be lost. */
    readonly allowLoss: boolean;
    readonly told?: (rows: number, table: string) => void;
    /** Called before the commit with everything loaded; an error rolls everything back. */
    readonly beforeCommit?: (sums: readonly TableSum[]) => Promise<void>;
}
export interface Replaced {
    readonly sums: readonly TableSum[];
    /** Number of former rows that are gone. */
    readonly lost: number;
    readonly applied: readonly MigrationStep[];
    readonly refused: readonly MigrationStep[];
    /**
     * The mode in which the database was last served; it is kept. Undefined if never served, which then
     * counts as production.
     */
    readonly served: ServedMode | undefined;
}
/** Tables to replace: those of the source, of the model, and Treadle's own. Others stay. */
export declare function listPresent(database: Database, { source, desired }: Pick<ReplaceOptions, 'source' | 'desired'>): Promise<Present[]>;
/**
 * Number of rows that would be lost. @throws ARCHIVE_TARGET_LOSS if there are any and loss is not allowed.
 */
export declare function checkLoss(present: readonly Present[], allowLoss: boolean): number;
/**
 * Replaces the data of a database with the rows of a source in one transaction: readers see either all old
 * or all new data, and an error keeps the old. The served mode is not part of it: see {@link
 * keepServedMode}.
 * @throws ARCHIVE_TARGET_LOSS, ARCHIVE_ROW_REFUSED, ARCHIVE_DIFFERS
 */
export declare function replaceAll(options: ReplaceOptions): Promise<Replaced>;
