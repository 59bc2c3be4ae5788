import type { Feature } from '../../plan/feature.ts';
import { contribute } from './plan.ts';

/** Who somebody is: accounts, login, sign-up, logout and the account page. */
export const auth: Feature = { name: 'auth', contribute };
