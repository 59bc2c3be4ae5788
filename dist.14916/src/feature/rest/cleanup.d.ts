import type { Context, Worker } from '../../plan/feature.ts';
/** Deletes expired answers each hour, in short writes. */
export declare function createCleanup({ services }: Context): Worker;
