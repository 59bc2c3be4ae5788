import type { Context } from './feature.ts';
/** Checks whether the database still has what the plan needs: another process may have migrated it. */
export interface StructureCheck {
    /** Checks the tables again if they were changed since the last check. */
    fits(): Promise<boolean>;
    /** As {@link StructureCheck.fits}, but gives the last result if the check takes longer than this. */
    fitsLately(milliseconds: number): Promise<boolean>;
}
export declare function getStructureCheck(context: Context): StructureCheck;
