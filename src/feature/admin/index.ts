import type { Feature } from '../../plan/feature.ts';
import { contributeAdmin } from './plan.ts';

/** The admin section: pages for data, definitions and operation. */
export const admin: Feature = { name: 'admin', contribute: contributeAdmin };
