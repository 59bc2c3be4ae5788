import { hasSecondFactor } from '../../access/person.ts';
import { markProven } from '../../access/proof.ts';
import type { Request } from '../../core/request/request.ts';
import { PASSWORD_LEAST, PASSWORD_MOST } from '../../core/secret/password.ts';
import { translate } from '../../core/text/translate.ts';
import type { Row } from '../../database/row-statement.ts';
import { parseRoles, splitRoles } from '../../model/role/role.ts';
import type { Exchange } from '../../page/exchange.ts';
import { showPage } from '../../page/frame.ts';
import type { Context } from '../../plan/feature.ts';
import { rememberDevice } from './device.ts';
import { closeHalf, openHalf } from './second-factor/half-open.ts';
import { useTrust } from './second-factor/trusted-device.ts';
import { type AuthRow, findAuth } from './sql.ts';

/** The page of the second step, and of the second factors of a logged-in user. */
export const SECOND_FACTOR = '/auth/second-factor';

/** The error of a page. If several fields of the posted form have one each, it does not name their columns. */
function toMessage({ request, response }: Exchange): string | undefined {
  if (!response.isError()) return undefined;
  const names = Object.keys(response.getValidation() as Row);
  const isMarked = names.length > 1 && names.every((name) => request.getPost(name) !== undefined);
  return isMarked ? translate('Nothing was saved. Correct the marked fields.') : response.getMessage();
}

/** Shows a page of this feature in the site's layout. */
export async function showAccountPage(
  context: Context,
  exchange: Exchange,
  page: { readonly name: string; readonly title: string; readonly data?: Row },
): Promise<void> {
  const data = {
    message: toMessage(exchange),
    errors: exchange.response.getValidation(),
    least: PASSWORD_LEAST,
    most: PASSWORD_MOST,
    ...page.data,
  };
  await showPage(context, exchange, { frame: 'site', title: page.title, template: `auth/${page.name}`, data });
}

/** Fills the stage from the posted form only: a query such as `?auth_type=admin` never reaches an event. */
export function fillStage(request: Request, fields: readonly string[], more: Row = {}): void {
  const posted: Row = {};
  for (const field of fields) {
    const value = request.getPost(field);
    posted[field] = typeof value === 'string' ? value : '';
  }
  request.removeStage().setStage({ ...posted, ...more });
}

export interface Login {
  /** Path to lead to. */
  readonly target: string;
  /** True after the second step, or a login that needs none. Default false. */
  readonly isComplete?: boolean;
}

/** True if a role of the account opens nothing before the account has a second factor. */
function mustAddFactor({ plan }: Context, auth: AuthRow): boolean {
  return splitRoles(plan.model, parseRoles(auth.auth_type), hasSecondFactor(auth)).waiting.length > 0;
}

/**
 * Logs an account in under a new session id, and redirects. If the account has a second factor, and the browser is not
 * trusted, the session stays half-open: it is no login yet, and leads to the second step.
 */
export async function logIn(
  context: Context,
  { request, response }: Exchange,
  account: Row,
  { target, isComplete = false }: Login,
): Promise<void> {
  const { services } = context;
  const auth = await findAuth(services.database, 'auth_id', Number(account.auth_id));
  if (!auth) {
    response.setRedirect('/auth/login');
    return;
  }
  if (hasSecondFactor(auth) && !isComplete && !(await useTrust(services, request, auth))) {
    services.sessions.renew(request);
    openHalf(services, request, auth, target);
    response.setRedirect(SECOND_FACTOR);
    return;
  }
  closeHalf(request);
  await stayLoggedIn(context, { request, response }, account);
  markProven(services, request, auth.auth_id);
  const next = `${SECOND_FACTOR}?redirect_uri=${encodeURIComponent(target)}`;
  response.setRedirect(mustAddFactor(context, auth) ? next : target);
}

/** Gives a logged-in session a new id and the account as it is now, and marks the browser as known. */
export async function stayLoggedIn(
  { services }: Context,
  { request, response }: Exchange,
  account: Row,
): Promise<void> {
  services.sessions.renew(request);
  // The language is read with the session, because it may change on another device.
  const { auth_created: _created, auth_updated: _updated, auth_language: _language, ...me } = account;
  request.setSession('me', me);
  const auth = await findAuth(services.database, 'auth_id', Number(account.auth_id));
  if (auth) rememberDevice(services, request, response, auth);
}
