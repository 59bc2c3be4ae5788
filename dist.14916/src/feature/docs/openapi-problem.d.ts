import type { Json } from '../../model/value-schema.ts';
/** The body of every error. @see RFC 9457 */
export declare const PROBLEM: Json;
/** One response component for each error status. */
export declare const PROBLEM_RESPONSES: Readonly<Record<string, Json>>;
