import type { Request } from '../../core/request.ts';
import type { Refusal } from '../../core/response.ts';
import type { Database, Row } from '../../database/database.ts';
import { type PrepareTools } from '../../model/field-kind.ts';
import type { SchemaModel } from '../../model/model.ts';
import { type ValidateMode } from '../../model/validate.ts';
import type { Context } from '../../plan/feature.ts';
import { type Reach } from '../../query/searcher.ts';
import { type RowPlan } from './row-plan.ts';
import type { Stage } from './stage.ts';
import { Uploads } from './uploads.ts';
/** A failure inside a write: thrown to roll the write back, then set on the response. */
export declare class RowFailure extends Error {
    readonly failure: Refusal;
    constructor(failure: Refusal);
}
/** Tools that prepare one row. Its uploaded files belong to this row only. */
export interface RowTools extends PrepareTools {
    readonly files: Uploads;
}
export declare const toTools: ({ services, plan }: Context, request: Request) => RowTools;
/**
 * Sets the stage's owner column to the owner from the access, whatever was sent. Fails if the schema has no owner
 * column, or if a user would create a profile.
 */
export declare function holdToOwner(schema: SchemaModel, stage: Stage, { rows }: Reach, mode: ValidateMode): {
    readonly stage: Stage;
} | {
    readonly failure: Refusal;
};
/**
 * Checks that a written row is still within reach, so that nobody moves a row out of their own reach or creates
 * one there.
 *
 * @throws RowFailure (403)
 */
export declare function holdWritten(context: Context, schema: SchemaModel, id: number, reach: Reach): Promise<void>;
export interface DraftInput {
    readonly plan: RowPlan;
    readonly stage: Stage;
    readonly mode: ValidateMode;
    readonly tools: RowTools;
    readonly database: Database;
    /** The stored row, on update. */
    readonly stored?: Row;
    /** True if null clears every optional column, a parent's key included. Default false. @see RFC 7396 */
    readonly isPatch?: boolean;
}
export declare function toParentConflict(child: SchemaModel, parent: SchemaModel, parentId: number, column: string): Refusal;
/** Validates a stage and prepares its row for storage. A failure lists all faults at once. */
export declare function draftRow(input: DraftInput): Promise<{
    readonly row: Row;
} | {
    readonly failure: Refusal;
}>;
/**
 * Called at the beginning of the write. If it or an outer transaction rolls back, the row's files are discarded.
 */
export declare function tieFiles({ files }: RowTools, database: Database): void;
/** The failure for values that only together belong to another row; undefined if no rule has these columns. */
export declare function explainTogether(schema: SchemaModel, columns: readonly string[]): Refusal | undefined;
/** The client's failure for a write that failed; undefined if the client did not cause it. */
export declare function explainWrite(error: unknown, plan: RowPlan, row: Row, database: Database): Promise<Refusal | undefined>;
/** The stored row, as a search returns it. */
export declare function readBack(context: Context, plan: RowPlan, id: number): Promise<Row>;
