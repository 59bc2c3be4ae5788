import type { Context } from '../../../plan/feature.ts';
import type { ClientApp } from './app-row.ts';

type Subscriber = Pick<ClientApp, 'name' | 'hooks' | 'approvedHooks'>;

/**
 * Whether an app receives a web hook: it lists it and has any approval needed. What a definition file lists
 * is approved, because it was reviewed with the project.
 */
export function isSubscribed({ plan: { hooks } }: Context, app: Subscriber, name: string): boolean {
  if (!app.hooks.includes(name)) return false;
  const needsApproval = hooks.some((hook) => hook.name === name && hook.definition.approval === true);
  return !needsApproval || app.name !== undefined || app.approvedHooks.includes(name);
}

/** Web hooks that an app lists and that await approval. */
export const findPendingHooks = (context: Context, app: Subscriber): string[] =>
  app.hooks.filter((name) => !isSubscribed(context, app, name));
