import type { Context } from '../../../plan/feature.ts';
import type { ClientApp } from './app-row.ts';
type Subscriber = Pick<ClientApp, 'name' | 'hooks' | 'approvedHooks'>;
/**
 * Whether an app receives a web hook: it lists it and has any approval needed. What a definition file lists
 * is approved, because it was reviewed with the project.
 */
export declare function isSubscribed({ plan: { hooks } }: Context, app: Subscriber, name: string): boolean;
/** Web hooks that an app lists and that await approval. */
export declare const findPendingHooks: (context: Context, app: Subscriber) => string[];
export {};
