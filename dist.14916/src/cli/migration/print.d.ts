import type { CopyNote, MigrationPlan, MigrationStep } from '../../database/migration-step.ts';
export interface Printing {
    readonly isDone: boolean;
    /** True to print each step's SQL below it. */
    readonly hasSql?: boolean;
}
/** Steps in groups, each with its description and number of rows. */
export declare function printSteps(steps: readonly MigrationStep[], { isDone, hasSql }: Printing): string[];
/** The statements as a script for review. */
export declare function printScript(steps: readonly MigrationStep[]): string[];
/**
 * The refused steps with their remedies. Steps that would only lose data are skipped; others keep the definitions
 * from being served.
 */
export declare function printRefused(steps: readonly MigrationStep[]): string[];
/** Tables and columns that a person created in the database. */
export declare const printDrift: ({ drift }: MigrationPlan) => string[];
/** The copies, and how to drop them. */
export declare function printCopies(copies: readonly CopyNote[]): string[];
/** Exit code for refused steps: 3 if data would be lost, otherwise 1. */
export declare function toRefusalCode(refused: readonly MigrationStep[]): number;
