import type { Messages } from '../../core/response.ts';
import type { Row } from '../../database/database.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { type Reach } from '../../query/searcher.ts';
import type { ForeignKey } from './row-plan.ts';
/** Messages for foreign keys that refer to a row which the caller may not see. */
export declare function findInvisible(context: Context, given: {
    readonly schema: SchemaModel;
    readonly foreign: readonly ForeignKey[];
    readonly row: Row;
}, reach: Reach): Promise<Messages>;
/**
 * True if the caller may see a row through a relation. A missing row counts as visible: the foreign key check
 * reports it.
 */
export declare function isVisible(context: Context, schema: SchemaModel, id: number, reach: Reach): Promise<boolean>;
