import type { Contribution, Facts } from '../../plan/feature.ts';
/** The docs are served if the API is open: `"api": true` in the settings. */
export declare function contribute(facts: Facts): Contribution;
