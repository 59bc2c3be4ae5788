import type { Json } from '../../model/value-schema.ts';
import { type Comparison } from './change.ts';
/** One operation in both documents. */
export interface Pair {
    readonly call: string;
    readonly before: Json;
    readonly after: Json;
    /** For a hook the request is what receivers get, so it counts as an answer. */
    readonly isHook: boolean;
}
/** Finds the changes of an operation that both documents have. */
export declare function compareCalls(comparison: Comparison, pair: Pair): void;
