import type { Data } from './request-source.ts';
type Key = string | number;
/**
 * Tells which parts of a stage came with the request (query, body, path) and which were written by code.
 * Keeps references to the input and the paths that code wrote; compares only when asked.
 */
export declare class Brought {
    #private;
    copy(): Brought;
    /** Records input values that entered the stage under their own keys. */
    add(data: Data): void;
    /** Records that code wrote at a path. */
    write(path: readonly Key[]): void;
    /** Whether code wrote inside an object or list: at the path or at a parent of it. */
    isWrittenWithin(path: readonly Key[]): boolean;
    /** Whether a plain value of the stage is the input under its key. */
    has(key: Key, value: unknown): boolean;
    /** The key under which an object or list came as input; undefined if it did not. */
    findKey(value: object): string | undefined;
}
export {};
