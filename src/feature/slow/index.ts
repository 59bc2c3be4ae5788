import type { Feature } from '../../plan/feature.ts';
import { contributeSlow } from './plan.ts';

/** Slow searches: their shapes, how they are read, and the index that would help. */
export const slow: Feature = { name: 'slow', contribute: contributeSlow };
