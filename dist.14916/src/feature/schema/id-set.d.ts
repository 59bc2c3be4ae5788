/** A set of ids that takes one bit per id where ids are dense: some 2 MB for an import of a million rows. */
export declare class IdSet {
    #private;
    has(id: number): boolean;
    add(id: number): void;
}
