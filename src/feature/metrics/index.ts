import type { Feature } from '../../plan/feature.ts';
import { contributeMetrics } from './plan.ts';

/** Metrics for operators, in the Prometheus format. */
export const metrics: Feature = { name: 'metrics', contribute: contributeMetrics };
