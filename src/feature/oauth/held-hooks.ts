import type { Context } from '../../plan/feature.ts';
import type { ClientApp } from './app-row.ts';

type Subscriber = Pick<ClientApp, 'name' | 'hooks' | 'approvedHooks'>;

/**
 * Whether an app hears of a web hook: it lists it, and where the hook needs approval it has that. A definition file is
 * reviewed with the project, so what it lists is approved.
 */
export function isHeard({ plan: { hooks } }: Context, app: Subscriber, name: string): boolean {
  if (!app.hooks.includes(name)) return false;
  const needsApproval = hooks.some((hook) => hook.name === name && hook.definition.approval === true);
  return !needsApproval || app.name !== undefined || app.approvedHooks.includes(name);
}

/** The web hooks that an app lists and still waits for. */
export const findPendingHooks = (context: Context, app: Subscriber): string[] =>
  app.hooks.filter((name) => !isHeard(context, app, name));
