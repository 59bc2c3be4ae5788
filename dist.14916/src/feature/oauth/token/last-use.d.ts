import type { Context, Services, Worker } from '../../../plan/feature.ts';
/** Notes in memory that a token was used now. */
export declare function noteUse(services: Services, tokenHash: string): void;
/** Writes the last uses each second, and at the end. */
export declare const createUseWriter: ({ services }: Context) => Worker;
