import type { Contribution, Facts } from '../../plan/feature.ts';
/** Contributes nothing if the settings have it `off`, so that a project may have a page at that path. */
export declare function contributeMetrics({ model }: Facts): Contribution;
