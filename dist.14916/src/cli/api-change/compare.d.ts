import type { Json } from '../../model/value-schema.ts';
import { type Change } from './change.ts';
/** The changes between two OpenAPI documents of one API, most severe first. */
export declare function compareApis(before: Json, after: Json): Change[];
/** Changes as text, one per line. */
export declare function describeChanges(changes: readonly Change[]): string[];
