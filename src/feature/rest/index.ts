import type { Feature } from '../../plan/feature.ts';
import { contribute } from './plan.ts';

/** REST calls: a guarded route for each definition and each hand-written call. */
export const rest: Feature = { name: 'rest', contribute };
