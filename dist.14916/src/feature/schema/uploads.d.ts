import type { Request } from '../../core/request.ts';
import { type SentFile } from '../../core/sent-file.ts';
import { type FileTaker } from '../../model/field-kind.ts';
import type { ColumnModel } from '../../model/model.ts';
import type { Field } from '../../model/shape.ts';
import type { Services } from '../../plan/feature.ts';
import type { Stage } from './stage.ts';
/**
 * The uploaded files of one row. Each is checked, stored under a new name, and removed again if the row is not
 * written.
 */
export declare class Uploads implements FileTaker {
    #private;
    constructor(services: Pick<Services, 'files' | 'log'>, maxBytes: number);
    /** Whether no file was stored that a failed write must remove. */
    get isEmpty(): boolean;
    take(file: SentFile, field: Field): Promise<string>;
    has(address: string): Promise<boolean>;
    /**
     * Removes the stored files, because the row was not written. `treadle upload clean` removes what fails here.
     */
    discard(): Promise<void>;
}
/** The stage with a form's uploaded files in their columns. */
export declare function withFiles(columns: readonly ColumnModel[], request: Request): Stage;
