import type { Problem } from '../../core/errors.ts';
import type { Facts } from '../../plan/feature.ts';
/**
 * Advice on calls by which strangers can change data or see private data. `"open": true` in the definition
 * silences it.
 */
export declare function adviseOpenCalls({ calls, model }: Facts): Problem[];
