import type { Feature } from '../../plan/feature.ts';
import { contribute } from './plan.ts';

/** Other people's apps: registration, the consent dialog, codes and tokens. */
export const oauth: Feature = { name: 'oauth', contribute };
