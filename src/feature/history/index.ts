import type { Feature } from '../../plan/feature.ts';
import { contributeHistory } from './plan.ts';

/** Who changed which row or definition, when, from where and what. */
export const history: Feature = { name: 'history', contribute: contributeHistory };
