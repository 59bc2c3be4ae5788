import { isProven, requireProof } from '../../../../access/proof.ts';
import { toLocalPath } from '../../../../core/text/local-path.ts';
import { toNetwork } from '../../../../core/text/network.ts';
import type { Row } from '../../../../database/row-statement.ts';
import { createRoute, type Exchange, findMe, leadTo, requireMe, toLogin } from '../../../../page/exchange.ts';
import type { Context, RouteContribution } from '../../../../plan/feature.ts';
import { toAddress } from '../../account/account.ts';
import { rejectGuess } from '../../errors.ts';
import { fillStage, logIn, showAccountPage } from '../../page.ts';
import { findAuth } from '../../sql.ts';
import { findHalf } from '../half-open.ts';
import { findTarget, readFactors, showCodes, toPasskeyData } from '../pages.ts';
import { finishStep, leadToLogin, showStep } from '../routes.ts';
import { CHALLENGE_SECONDS, issueChallenge, type Purpose } from './challenge.ts';
import { toHandle } from './check.ts';
import { NAME_MOST } from './register.ts';
import { findRelyingParty } from './relying-party.ts';
import { listPasskeys } from './sql.ts';

const PATH = '/auth/passkey';
/** Challenges and answers per network and minute; a network may be a whole office. */
const MOST_PER_MINUTE = 120;

/** Counts one request of the network; after too many refuses with 429. */
function takeTurn({ services }: Context, { request, response }: Exchange): boolean {
  const turn = services.limiter.take(`auth:passkey:${toNetwork(toAddress(request))}`, MOST_PER_MINUTE, 60);
  if (!turn.isAllowed) response.refuse(rejectGuess(response, turn.retrySeconds).refusal);
  return turn.isAllowed;
}

/** The account that a challenge is for; 0: the passkey will say; undefined: nobody may ask. */
async function findSubject(
  { services }: Context,
  { request }: Exchange,
  purpose: Purpose,
): Promise<number | undefined> {
  if (purpose === 'login') return 0;
  const me = findMe(request);
  if (purpose === 'create') return me !== undefined && isProven(services, request) ? me : undefined;
  return me ?? (await findHalf(services, request))?.auth.auth_id;
}

/** The options for `navigator.credentials` as JSON, with the `state` that comes back with the answer. */
async function createOptions(
  context: Context,
  exchange: Exchange,
  purpose: Purpose,
  authId: number,
): Promise<Row | undefined> {
  const { services, plan } = context;
  const party = findRelyingParty(services);
  const auth = authId === 0 ? undefined : await findAuth(services.database, 'auth_id', authId);
  if (!party || (authId !== 0 && !auth)) return undefined;
  const { challenge, state } = issueChallenge(services, exchange, { purpose, authId });
  const rows = auth ? await listPasskeys(services, authId) : [];
  const known = rows.map(({ credential_id: id, transports }) => ({
    type: 'public-key',
    id,
    transports: String(transports).split(',').filter(Boolean),
  }));
  const shared = { challenge, timeout: CHALLENGE_SECONDS * 1000 };
  if (purpose !== 'create') {
    const userVerification = purpose === 'login' ? 'required' : 'preferred';
    return { state, options: { ...shared, rpId: party.id, userVerification, allowCredentials: known } };
  }
  const handle = toHandle(services, authId).toString('base64url');
  const options = {
    ...shared,
    rp: { id: party.id, name: plan.model.settings.name },
    user: { id: handle, name: auth?.auth_slug, displayName: auth?.auth_slug },
    // EdDSA, ES256, RS256. @see https://www.iana.org/assignments/cose
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
  };
  return { state, options };
}

function sendJson({ response }: Exchange, status: number, body: unknown): void {
  response.setStatus(status).addHeader('content-type', 'application/json').addHeader('cache-control', 'no-store');
  response.setError(false).setContent(JSON.stringify(body));
}

async function sendOptions(context: Context, exchange: Exchange): Promise<void> {
  const purposeText = exchange.request.getPost('purpose');
  const purpose = (['login', 'step', 'create'] as const).find((one) => one === purposeText);
  if (purpose === undefined) return sendJson(exchange, 400, { message: 'Name a purpose: login, step or create.' });
  if (!takeTurn(context, exchange)) return sendJson(exchange, 429, { message: exchange.response.getMessage() });
  const subject = await findSubject(context, exchange, purpose);
  const options = subject === undefined ? undefined : await createOptions(context, exchange, purpose, subject);
  if (options) sendJson(exchange, 200, options);
  else sendJson(exchange, 403, { message: 'Load the page again.' });
}

async function showList(context: Context, exchange: Exchange, authId: number): Promise<void> {
  const { rows } = await readFactors(context, authId);
  const { request, response } = exchange;
  // The message belongs to the form that was sent: of one passkey, or of a new one.
  const sent = request.getPost('passkey');
  const error = response.getValidation('name');
  const passkeys = ((rows ?? []) as Row[])
    .filter(({ kind }) => kind === 'passkey')
    .map((row) => (String(row.id) === sent ? { ...row, error } : row));
  const data = {
    ...toPasskeyData(context, exchange),
    passkeys,
    nameMost: NAME_MOST,
    target: findTarget(exchange),
    newError: sent === undefined ? error : undefined,
    form: { name: sent === undefined ? request.getPost('name') : undefined },
  };
  await showAccountPage(context, exchange, { name: 'passkey', title: 'Passkeys', data });
}

async function open(context: Context, exchange: Exchange): Promise<void> {
  const me = requireMe(exchange, PATH);
  if (me !== undefined && requireProof(context, exchange)) await showList(context, exchange, me);
}

async function create(context: Context, exchange: Exchange, authId: number): Promise<void> {
  const { request, response } = exchange;
  fillStage(request, ['name', 'credential', 'state'], { auth_id: authId });
  await context.emit('auth-passkey-create', request, response);
  if (response.isError()) return showList(context, exchange, authId);
  const codes = response.getResults('recovery_codes') as string[] | undefined;
  if (codes) return showCodes(context, exchange, codes, 'The passkey is your second factor from now on.');
  const target = findTarget(exchange);
  leadTo(exchange, target === '' ? PATH : target, 'The passkey is added.');
}

async function change(context: Context, exchange: Exchange, authId: number, isRemoval: boolean): Promise<void> {
  const { request, response } = exchange;
  fillStage(request, isRemoval ? ['passkey'] : ['passkey', 'name'], { auth_id: authId });
  await context.emit(isRemoval ? 'auth-passkey-remove' : 'auth-passkey-update', request, response);
  if (response.isError() && response.getStatus() === 422) return showList(context, exchange, authId);
  leadTo(exchange, PATH, isRemoval ? 'The passkey is removed.' : 'Saved.');
}

/** A login by a passkey alone. */
async function postLogin(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const target = toLocalPath(request.getPost('redirect_uri'), context.plan.model.settings.home);
  fillStage(request, ['credential', 'state']);
  if (takeTurn(context, exchange)) await context.emit('auth-passkey-login', request, response);
  if (response.isError()) return leadTo(exchange, toLogin(target), '');
  const account = response.getResults() as Row;
  response.removeResults();
  await logIn(context, exchange, account, { target, isComplete: true });
}

/** The second step of a login by a passkey. */
async function postStep(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const half = await findHalf(context.services, request);
  if (!half) return leadToLogin(exchange);
  fillStage(request, ['credential', 'state'], { auth_id: half.auth.auth_id, is_login: true });
  if (takeTurn(context, exchange)) await context.emit('auth-second-factor', request, response);
  if (response.isError()) return showStep(context, exchange, half.auth);
  await finishStep(context, exchange, half);
}

async function post(context: Context, exchange: Exchange): Promise<void> {
  const action = exchange.request.getPost('action');
  if (action === 'login') return postLogin(context, exchange);
  if (action === 'step') return postStep(context, exchange);
  const me = requireMe(exchange, PATH);
  if (me === undefined || !requireProof(context, exchange, PATH)) return;
  if (action === 'rename' || action === 'remove') return change(context, exchange, me, action === 'remove');
  return create(context, exchange, me);
}

export const passkeyRoutes: readonly RouteContribution[] = [
  createRoute('GET', PATH, 'The passkeys of the user, and a form for another.', open),
  createRoute('POST', PATH, 'Logs in by a passkey; or adds, renames or removes one.', post),
  createRoute('POST', `${PATH}/options`, 'The challenge that a passkey answers, as JSON for the page.', sendOptions),
];
