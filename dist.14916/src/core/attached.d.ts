/**
 * One value for each of many objects that live as short as a request. Unlike a WeakMap it keeps the value on the object:
 * an entry in a WeakMap for each request costs the garbage collector more than the request's own objects.
 */
export declare class Attached<Owner extends object, Value> {
    #private;
    get(owner: Owner): Value | undefined;
    /** @param value Undefined detaches. */
    set(owner: Owner, value: Value | undefined): void;
}
