import type { Feature } from '../../plan/feature.ts';
import { contribute } from './plan.ts';

/** Roles: who opens which path. */
export const role: Feature = { name: 'role', contribute };
