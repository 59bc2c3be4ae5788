import type { Invocation } from './spec.ts';
type Boot = typeof import('../boot.ts');
export type AppOwner = Awaited<ReturnType<Boot['readOwners']>>[number];
/** Reads the state of the app files' owners without starting the project; none if there is no database yet. */
export declare function readAppOwners(invocation: Invocation): Promise<readonly AppOwner[]>;
/** A remark on an owner; undefined if there is no problem. */
export declare function toOwnerRemark({ owner, state }: AppOwner): string | undefined;
export {};
