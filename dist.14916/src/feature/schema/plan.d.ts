import type { Contribution, Facts } from '../../plan/feature.ts';
export declare function contribute({ model }: Facts): Contribution;
