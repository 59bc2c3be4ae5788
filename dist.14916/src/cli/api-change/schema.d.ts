import { type Comparison, type Direction } from './change.ts';
/** The place of a comparison of two schemas. */
export interface Spot {
    readonly call: string;
    readonly direction: Direction;
    /** Names of the path to this schema. */
    readonly path: readonly string[];
    /** References on the way here, so that a recursive schema ends. */
    readonly refs: readonly string[];
}
/** Finds the changes between two schemas at one place. Requests and answers are judged in opposite directions. */
export declare function compareSchemas(comparison: Comparison, before: unknown, after: unknown, spot: Omit<Spot, 'refs'>): void;
