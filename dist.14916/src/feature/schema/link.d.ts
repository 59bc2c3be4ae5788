import type { Request } from '../../core/request.ts';
import type { Refusal, Response } from '../../core/response.ts';
import type { Database } from '../../database/database.ts';
import type { RelationModel, SchemaModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { type Reach } from '../../query/searcher.ts';
/** A relation and its two ends, with the stage keys of their ids. */
export interface Pair {
    readonly relation: RelationModel;
    readonly source: End;
    readonly target: End;
}
export interface End {
    readonly schema: SchemaModel;
    /** Stage key of the end's id. */
    readonly key: string;
}
/**
 * The relation between the stage's `schema1` and `schema2`, in either direction. Sets the failure and gives
 * undefined if there is no such relation.
 */
export declare function findPair(context: Context, request: Request, response: Response): Pair | undefined;
/** The ids of these ends in the stage. Sets the failure and gives undefined if an id is missing or invalid. */
export declare function needIds(ends: readonly End[], request: Request, response: Response): number[] | undefined;
/**
 * The reason why these rows cannot be linked or unlinked: a row does not exist, the changed row belongs to
 * somebody else, the declaring row is out of reach, or the caller may not see the other row.
 */
export declare function findEndFault(pair: Pair, ids: {
    readonly source: number | undefined;
    readonly target: number | undefined;
}, reach: Reach, context: Context): Promise<Refusal | undefined>;
/** Links two rows. Fails if the child has another parent. `isChanged` is false if they were already linked. */
export declare function linkRows({ relation, source, target }: Pair, sourceId: number, targetId: number, database: Database): Promise<{
    readonly isChanged: boolean;
} | {
    readonly failure: Refusal;
}>;
/** Unlinks two rows, or all links of one row if the other id is undefined. Gives the number of links removed. */
export declare function unlinkRows({ relation, source, target }: Pair, ids: {
    readonly source: number | undefined;
    readonly target: number | undefined;
}, database: Database): Promise<number>;
/** The row at one end or at both. */
export interface LinkIds {
    readonly source: number | undefined;
    readonly target: number | undefined;
}
/** Ids of the rows that one row is linked with. */
export declare function listLinked({ relation, source, target }: Pair, ids: LinkIds, { kysely }: Database): Promise<readonly number[]>;
/** Two rows that the caller may link or unlink. */
export interface Linkable {
    readonly pair: Pair;
    readonly source: number;
    readonly target: number;
    readonly reach: Reach;
}
/** {@link findPair} and {@link needIds}, plus the check that both rows exist: all that link and unlink need. */
export declare function needLinkable(context: Context, request: Request, response: Response): Promise<Linkable | undefined>;
/** A 1:1 must always have its target, so it cannot be unlinked. */
export declare function findBond({ relation, source, target }: Pair): Refusal | undefined;
