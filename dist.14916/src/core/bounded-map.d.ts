interface Dropping<V> {
    /** Whether an entry may be dropped. Default: each may. */
    readonly canDrop?: (value: V) => boolean;
    readonly onDrop?: (value: V) => void;
}
/** A map of at most `limit` entries: a new one drops the one that was not read or set for longest. */
export declare class BoundedMap<V> extends Map<string, V> {
    #private;
    constructor(limit: number, dropping?: Dropping<V>);
    get(key: string): V | undefined;
    set(key: string, value: V): this;
    /** The value of a key; created if missing. */
    getOrCreate(key: string, create: () => V): V;
}
export {};
