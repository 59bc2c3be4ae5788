import type { Feature } from '../../plan/feature.ts';
import { contribute } from './plan.ts';

/** Authentication: accounts, login, sign-up, logout and the account page. */
export const auth: Feature = { name: 'auth', contribute };
