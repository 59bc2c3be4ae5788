/** A map of at most `limit` bytes: a new entry drops those that were not read or set for longest. */
export declare class SizedMap<V> {
    #private;
    constructor(limit: number);
    get bytes(): number;
    get(key: string): V | undefined;
    /** @param bytes Size of the value; the key's is added. */
    set(key: string, value: V, bytes: number): void;
    delete(key: string): void;
}
