import type { CommitListener, Context } from '../../../plan/feature.ts';
/**
 * Ends every app's access to an account in the transaction that disables it or changes its password.
 * Enabling it again restores nothing. A deleted account leaves no consent, code or token, and its apps are suspended.
 */
export declare function endWithAccount({ services }: Context): CommitListener;
