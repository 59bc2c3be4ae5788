/** A wanted table or column with its possible former names. */
export interface Wanted {
    readonly name: string;
    readonly was?: readonly string[];
}
/** Present names and what is remembered of them. */
export interface Present {
    readonly names: ReadonlySet<string>;
    /** Whether this database has done this rename before, so that `was` is history. */
    isDone(name: string, was: string): boolean;
    /** Whether it had no definition at the last migration. */
    isLeft(name: string): boolean;
}
export interface Conflict {
    readonly name: string;
    readonly was: string;
}
export interface Match {
    /** Present name of each wanted name that exists. */
    readonly sources: ReadonlyMap<string, string>;
    /** Renames to a name in use: neither is matched until the planner decides. */
    readonly conflicts: readonly Conflict[];
}
/**
 * Matches each wanted name to a present one. Renames may form chains (b to c, a to b) and cycles (a to b, b
 * to a): a former name that is wanted again is free if its new owner comes from elsewhere or is new.
 */
export declare function matchNames(wanted: readonly Wanted[], present: Present): Match;
export interface Rename {
    readonly from: string;
    readonly to: string;
}
/** Orders renames so that each name is free when it is taken; cycles use a temporary name. */
export declare function orderRenames(renames: readonly Rename[], toTemporary: (index: number) => string): Rename[];
