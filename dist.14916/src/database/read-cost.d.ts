/** What is known about a read before it runs. */
export interface ReadCost {
    /** Distinguishes reads of one statement with different costs, such as by their offset. Usually empty. */
    readonly kind: string;
    /** Assumed milliseconds until a read of this shape has run. */
    readonly guess: number;
}
/** Reads one row by a key: never costly. */
export declare const KEYED: ReadCost;
/** Cheap until it has been measured. */
export declare const USUAL: ReadCost;
/** Measured cost of reads with the same shape, or with the same shape and values. */
export interface KnownCost {
    /** Milliseconds on an idle machine: falls at once, rises slowly. */
    low: number;
    /** Recent milliseconds, including delays by other work. */
    mean: number;
    /** Number of the check at which `low` last rose. */
    rose: number;
    /** For a shape: values that took much longer than others. */
    outliers?: Map<string, KnownCost>;
}
/** A read, as far as its cost is concerned. */
export interface Priced {
    readonly sql: string;
    readonly parameters: readonly unknown[];
    readonly about: ReadCost;
    /** Known cost; undefined until a read of this shape has run. */
    known: KnownCost | undefined;
}
/**
 * The cost of reads by shape. Other work can only lengthen a read, so the shortest recent run tells whether
 * it is costly.
 */
export declare class ReadCosts {
    #private;
    /** Sets the known cost of a read. */
    find(read: Priced): void;
    /** Estimated milliseconds of a read. */
    estimate({ about, known }: Priced): number;
    isCostly({ about: { guess }, known }: Priced): boolean;
    /**
     * Records the duration of a read. Reads that end between two checks count once, since a single stall may
     * have delayed them all.
     */
    note(read: Priced, took: number, look: number): void;
}
