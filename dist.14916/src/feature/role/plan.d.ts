import type { Contribution, Facts } from '../../plan/feature.ts';
export declare const contribute: ({ model, calls }: Facts) => Contribution;
