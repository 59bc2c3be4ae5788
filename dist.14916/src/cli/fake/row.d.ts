import type { ForeignKey, Model, SchemaModel } from '../../model/model.ts';
type Row = Record<string, unknown>;
/** The foreign keys of a schema, those of its parents first. */
export declare function listFakeKeys({ row: { keys } }: SchemaModel): ForeignKey[];
export interface FakeOptions {
    readonly model: Model;
    readonly schema: SchemaModel;
    readonly seed: string;
    /** Midnight of the day that times are near, in milliseconds since 1970. */
    readonly base: number;
    /** Current time, for rules about the present. */
    readonly now: number;
    /** Ids of rows by schema, to choose keys from. */
    readonly ids: ReadonlyMap<string, readonly number[]>;
    /** Stored for every password: the hash of a random one. */
    readonly passwordHash: string | undefined;
}
/** Generates the rows of a schema: the same number gives the same row, independent of other rows. */
export declare class FakeRows {
    #private;
    constructor(options: FakeOptions);
    /** @throws FAKE_IMPOSSIBLE if no value fits the rules of a required field. */
    make(ordinal: number): Row;
}
export {};
