import type { Feature } from '../../plan/feature.ts';
/** Authentication: accounts, login, sign-up, logout and the account page. */
export declare const auth: Feature;
