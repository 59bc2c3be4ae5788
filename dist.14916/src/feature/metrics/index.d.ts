import type { Feature } from '../../plan/feature.ts';
/** Metrics for operators, in the Prometheus format. */
export declare const metrics: Feature;
