import type { Contribution, Facts } from '../../plan/feature.ts';
/** Tokens act for users, and users need profiles: without a `profile` schema there is no OAuth. */
export declare function contribute({ model, isDevelopment }: Facts): Contribution;
