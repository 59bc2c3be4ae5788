import type { Feature } from '../../plan/feature.ts';
import { contribute } from './plan.ts';

/** OAuth for third-party apps: registration, consent dialog, codes and tokens. */
export const oauth: Feature = { name: 'oauth', contribute };
