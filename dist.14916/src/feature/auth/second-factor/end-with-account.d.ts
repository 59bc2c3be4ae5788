import type { CommitListener, Context } from '../../../plan/feature.ts';
/** Lets every device ask for the second step again, in the write that changes the password. */
export declare function endTrustWithAccount({ services }: Context): CommitListener;
