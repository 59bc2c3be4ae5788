import type { Feature } from '../../plan/feature.ts';
import { contributeMetrics } from './plan.ts';

/** Figures for operators, as Prometheus reads them. */
export const metrics: Feature = { name: 'metrics', contribute: contributeMetrics };
