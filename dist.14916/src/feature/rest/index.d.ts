import type { Feature } from '../../plan/feature.ts';
/** REST calls: a guarded route for each definition and each hand-written call. */
export declare const rest: Feature;
