import { hasSecondFactor } from '../../../access/person.ts';
import { requireProof } from '../../../access/proof.ts';
import { translate } from '../../../core/text/translate.ts';
import { parseRoles, splitRoles } from '../../../model/role/role.ts';
import { createRoute, type Exchange, findMe, flash, leadTo, requireMe, toLogin } from '../../../page/exchange.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { fillStage, logIn, SECOND_FACTOR, showAccountPage } from '../page.ts';
import { type AuthRow, findAuth } from '../sql.ts';
import { closeHalf, findHalf } from './half-open.ts';
import { findTarget, readFactors, showCodes, toPasskeyData } from './pages.ts';
import { isRecoveryCode, RECOVERY_CODES } from './recovery.ts';
import { TRUST_DAYS, trust } from './trusted-device.ts';

const kindsOf = (auth: AuthRow): readonly string[] => auth.auth_second_factor.split(',');

/** The form of the second step. */
export function showStep(context: Context, exchange: Exchange, auth: AuthRow): Promise<void> {
  const kinds = kindsOf(auth);
  const data = {
    ...toPasskeyData(context, exchange),
    hasTotp: kinds.includes('totp'),
    hasPasskey: kinds.includes('passkey'),
    isRecovery: exchange.response.getValidation('recovery_code') !== undefined,
    days: TRUST_DAYS,
  };
  return showAccountPage(context, exchange, { name: 'second-factor-step', title: 'Second step', data });
}

/** Completes a half-open login after a right second step. */
export async function finishStep(
  context: Context,
  exchange: Exchange,
  { auth, target }: { readonly auth: AuthRow; readonly target: string },
): Promise<void> {
  const { request, response } = exchange;
  const account = response.getResults() as Record<string, unknown>;
  const isTrusted = request.getPost('remember') === '1';
  response.removeResults();
  await logIn(context, exchange, account, { target, isComplete: true });
  if (isTrusted) await trust(context.services, request, response, auth);
}

/** The session waits no more: the time is over, or the password was changed meanwhile. */
export function leadToLogin(exchange: Exchange): void {
  closeHalf(exchange.request);
  flash(exchange, 'The login took too long. Log in again.', 'warning');
  exchange.response.setRedirect('/auth/login');
}

async function postStep(context: Context, exchange: Exchange, half: { auth: AuthRow; target: string }): Promise<void> {
  const { request, response } = exchange;
  const field = request.hasPost('recovery_code') ? 'recovery_code' : 'auth_code';
  fillStage(request, [field], { auth_id: half.auth.auth_id, is_login: true });
  await context.emit('auth-second-factor', request, response);
  if (response.isError()) return showStep(context, exchange, half.auth);
  await finishStep(context, exchange, half);
}

async function showOverview(context: Context, exchange: Exchange, authId: number): Promise<void> {
  const { services, plan } = context;
  const auth = await findAuth(services.database, 'auth_id', authId);
  if (!auth) return void requireMe(exchange, SECOND_FACTOR);
  const { rows, recovery_codes: left, devices } = await readFactors(context, authId);
  const factors = (rows ?? []) as readonly Record<string, unknown>[];
  const { waiting } = splitRoles(plan.model, parseRoles(auth.auth_type), hasSecondFactor(auth));
  const target = findTarget(exchange);
  const data = {
    ...toPasskeyData(context, exchange),
    totp: factors.find(({ kind }) => kind === 'totp'),
    passkeys: factors.filter(({ kind }) => kind === 'passkey'),
    isOn: hasSecondFactor(auth),
    isRequired: waiting.length > 0,
    left,
    most: RECOVERY_CODES,
    isLow: Number(left) < 3,
    devices,
    days: TRUST_DAYS,
    target,
    query: target === '' ? '' : `?redirect_uri=${encodeURIComponent(target)}`,
  };
  await showAccountPage(context, exchange, { name: 'second-factor', title: 'Second factor', data });
}

async function open(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const me = findMe(request);
  if (me !== undefined) return showOverview(context, exchange, me);
  const half = await findHalf(context.services, request);
  if (half) return showStep(context, exchange, half.auth);
  if (request.hasSession('login')) return leadToLogin(exchange);
  const target = findTarget(exchange);
  const here = target === '' ? SECOND_FACTOR : `${SECOND_FACTOR}?redirect_uri=${encodeURIComponent(target)}`;
  response.setRedirect(toLogin(here));
}

async function post(context: Context, exchange: Exchange): Promise<void> {
  const { request } = exchange;
  const me = findMe(request);
  const half = me === undefined ? await findHalf(context.services, request) : undefined;
  if (half) return postStep(context, exchange, half);
  if (me === undefined) return leadToLogin(exchange);
  const action = request.getPost('action');
  if (action === 'totp-remove') {
    if (!requireProof(context, exchange, SECOND_FACTOR)) return;
    fillStage(request, [], { auth_id: me });
    await context.emit('auth-totp-remove', request, exchange.response);
    return leadTo(exchange, SECOND_FACTOR, 'The authenticator app is removed.');
  }
  const isAll = action === 'devices';
  fillStage(request, isAll ? [] : ['device'], { auth_id: me });
  await context.emit('auth-device-remove', request, exchange.response);
  leadTo(
    exchange,
    SECOND_FACTOR,
    isAll ? 'Every device asks for the second step again.' : 'The device asks for it again.',
  );
}

async function postRecovery(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const me = requireMe(exchange, SECOND_FACTOR);
  if (me === undefined || !requireProof(context, exchange, SECOND_FACTOR)) return;
  fillStage(request, [], { auth_id: me });
  await context.emit('auth-recovery-create', request, response);
  if (response.isError()) return leadTo(exchange, SECOND_FACTOR, '');
  const codes = response.getResults('recovery_codes') as string[];
  await showCodes(context, exchange, codes, 'These are your new recovery codes. The old ones no longer work.');
}

/** Sends the codes that the page shows back as a file; the server does not know them any more. */
async function sendCodes(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  if (requireMe(exchange, SECOND_FACTOR) === undefined) return;
  const codes = String(request.getPost('codes') ?? '').split(/\s+/, RECOVERY_CODES);
  if (!codes.every(isRecoveryCode)) {
    response.refuse({ status: 400, code: 'BAD_REQUEST', message: 'These are not recovery codes.' });
    return leadTo(exchange, SECOND_FACTOR, '');
  }
  const { name } = context.plan.model.settings;
  response
    .addHeader('content-type', 'text/plain; charset=utf-8')
    .addHeader('content-disposition', 'attachment; filename="recovery-codes.txt"')
    .addHeader('cache-control', 'no-store')
    .setContent(
      `${translate('Recovery codes for {name}, {url}. Each works once.', { name, url: context.services.baseUrl() })}\n\n${codes.join('\n')}\n`,
    );
}

export const secondFactorRoutes: readonly RouteContribution[] = [
  createRoute('GET', SECOND_FACTOR, 'The second step of a login; for a logged-in user the second factors.', open),
  createRoute(
    'POST',
    SECOND_FACTOR,
    'Checks the second step; or removes the authenticator app or a trusted device.',
    post,
  ),
  createRoute('POST', `${SECOND_FACTOR}/recovery`, 'Makes new recovery codes, and shows them once.', postRecovery),
  createRoute('POST', `${SECOND_FACTOR}/recovery/file`, 'The recovery codes of the page as a text file.', sendCodes),
];
