import { type Pattern } from './pattern.ts';
/**
 * Finds the few routes that a path can match, out of many: those without parameters by their whole path, the others by
 * the fixed segments that they begin with. The caller still has to match each one.
 */
export declare class RouteIndex<T> {
    #private;
    add(pattern: Pattern, value: T): void;
    remove(pattern: Pattern, value: T): void;
    /** Every value with a pattern that matches the path, and a few others; in no order. */
    find(path: string): T[];
}
