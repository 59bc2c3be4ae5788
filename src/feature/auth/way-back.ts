import type { Request } from '../../core/request/request.ts';
import { toLocalPath } from '../../core/text/local-path.ts';
import type { Context } from '../../plan/feature.ts';

/** Session key of the page to which a mailed link leads back, in the browser that asked for the mail. */
const KEY = 'way_back';

/** Redirect target: from the form, else from the query. */
export const findTarget = ({ plan }: Context, request: Request): string =>
  toLocalPath(request.getPost('redirect_uri') ?? request.getGet('redirect_uri'), plan.model.settings.home);

/** What a form carries on: empty if the target is the site's home. */
export function toCarried({ plan }: Context, target: string): { readonly target: string; readonly query: string } {
  if (target === plan.model.settings.home) return { target: '', query: '' };
  return { target, query: `?redirect_uri=${encodeURIComponent(target)}` };
}

/** Saves a target until the mailed link is used. The mail itself has none: a stranger could write words into it. */
export function saveWayBack({ plan }: Context, request: Request, target: string): void {
  if (target !== plan.model.settings.home) request.setSession(KEY, target);
}

/** The saved target, or the site's home. It is used once. */
export function takeWayBack({ plan }: Context, request: Request): string {
  const saved = request.getSession(KEY);
  request.removeSession(KEY);
  return toLocalPath(saved, plan.model.settings.home);
}
