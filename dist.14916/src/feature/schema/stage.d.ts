import { type Action } from '../../core/access.ts';
import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import type { Reach } from '../../query/searcher.ts';
export type Stage = Readonly<Record<string, unknown>>;
/** The schema named under a stage key. Sets the failure and gives undefined if it does not exist. */
export declare function findSchema(context: Context, request: Request, response: Response, key?: string): SchemaModel | undefined;
/** The table of uploaded files, for {@link needReach}. */
export declare const UPLOADS = "treadle_upload";
/**
 * What the current access may reach of a schema by an action. Sets the failure and gives undefined if it is
 * refused.
 *
 * @throws ACCESS_MISSING if the code runs without any access.
 */
export declare function needReach({ services }: Context, schema: string, action: Action, response: Response): Reach | undefined;
/** True if the REST call lets its requests ask for removed rows. */
export declare const isRemovedOpen: (request: Request) => boolean;
/** The row that the stage names, by column and value. */
export interface Key {
    readonly column: string;
    readonly value: unknown;
}
/** As {@link findKey}; sets the failure if there is no key. */
export declare function needKey(schema: SchemaModel, stage: Stage, response: Response): Key | undefined;
/** A row's id: a positive integer. Undefined for anything else. */
export declare function toId(value: unknown): number | undefined;
