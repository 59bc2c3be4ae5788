import type { Contribution, Facts } from '../../plan/feature.ts';
/** A route for each call, and one for paths without a call. */
export declare function contribute(facts: Facts): Contribution;
