import type { Contribution, Facts } from '../../plan/feature.ts';
/** Treadle's last listeners of the render events, and its own routes. */
export declare function contributeWww(facts: Facts): Contribution;
