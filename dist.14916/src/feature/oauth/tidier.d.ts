import type { Context, Worker } from '../../plan/feature.ts';
/** Deletes old data each hour, in short writes. */
export declare function createTidier({ services }: Context): Worker;
