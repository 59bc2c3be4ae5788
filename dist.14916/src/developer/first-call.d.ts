import type { CallPlan } from '../plan/feature.ts';
/** The first user call that these scopes list and that needs only the token: the last step of a trial. */
export declare function findFirstCall(calls: readonly CallPlan[], scopes: readonly string[]): CallPlan | undefined;
