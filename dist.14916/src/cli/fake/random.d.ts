/** Repeatable random numbers: the same label gives the same numbers on every machine. */
export interface Chance {
    /** A number from 0 (included) to 1 (excluded). */
    part(): number;
    /** A whole number, both ends included. */
    whole(least: number, most: number): number;
    pick<T>(list: readonly T[]): T;
    /** A random part of a list, in its order. */
    some<T>(list: readonly T[], least: number, most: number): T[];
    /** True with this probability. */
    happens(part: number): boolean;
}
export declare function createChance(label: string): Chance;
