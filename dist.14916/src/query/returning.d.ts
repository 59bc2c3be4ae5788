import type { Database, Row } from '../database/database.ts';
import type { Model } from '../model/model.ts';
import type { Fragment } from './operator.ts';
/** A `returning` list, and the row of what it gives. */
export interface Returning {
    readonly list: Fragment;
    toRow(found: Row | undefined): Row | undefined;
}
/** What a write to a schema returns to give its whole row; undefined where a second statement must read it. */
export declare function findReturning(model: Model, name: string, database: Database): Returning | undefined;
