import type { Contribution, Facts } from '../../plan/feature.ts';
/** Accounts need profiles: a model without a `profile` schema has no accounts, and gets an advice. */
export declare function contribute({ model }: Facts): Contribution;
