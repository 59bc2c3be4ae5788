import { createHash } from 'node:crypto';
import { toSeconds } from '../../../core/clock.ts';
import type { Request } from '../../../core/request.ts';
import type { Response } from '../../../core/response.ts';
import { createToken, digest, isSameSecret } from '../../../core/secret.ts';
import type { Row } from '../../../database/database.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { type ClientApp, parseList } from '../app-row.ts';
import { BAD_CLIENT, BAD_CODE, badRequest, EMPTY, refuseToken, succeed, type TokenFault } from '../errors.ts';
import { type Arrival, findRace } from '../race.ts';
import { consumeCode, findApp, findCode, findProfile, insertToken, markCommitted, revokeGrant } from '../sql.ts';

/** Wrong secrets that an app may send from one address, a minute. */
const BAD_SECRETS = 20;

/** What the exchange answers with, or what is wrong. */
type Outcome = { readonly fault: TokenFault } | { readonly token: Issued };

interface Issued {
  readonly access: string;
  readonly secret: string;
  readonly code: Row;
  readonly profile: Row;
  readonly seconds: number;
}

interface Wish {
  readonly clientId: string;
  readonly secret: string;
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

function parseWish(request: Request): Wish {
  const read = (name: string): string => {
    const value = request.getStage(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    clientId: read('client_id'),
    secret: read('client_secret'),
    code: read('code'),
    redirectUri: read('redirect_uri'),
    verifier: read('code_verifier'),
  };
}

/** Proves the app; undefined where it is who it says. An unknown app costs the same work as a known one. */
function findClientFault(
  { services }: Context,
  app: ClientApp | undefined,
  { clientId, secret, address }: Wish & { readonly address: string },
): TokenFault | undefined {
  const isSame = isSameSecret(digest(secret), app?.secretHash ?? digest(clientId));
  if (!app?.isActive) return BAD_CLIENT;
  if (app.secretHash === undefined) return secret === '' ? undefined : BAD_CLIENT;
  if (isSame) return undefined;
  if (secret === '') return { ...BAD_CLIENT, validation: { client_secret: EMPTY } };
  const taken = services.limiter.take(`oauth:secret:${app.clientId}:${address}`, BAD_SECRETS, 60);
  if (taken.isAllowed) return BAD_CLIENT;
  const message = 'Too many wrong secrets.';
  return { ...BAD_CLIENT, status: 429, message, retrySeconds: Math.max(1, taken.retrySeconds) };
}

/** Whether a code is this app's, for this address, and proved by its verifier. @see RFC 7636 section 4.6 */
function isFitting(code: Row, app: ClientApp, { redirectUri, verifier }: Wish): boolean {
  if (code.app_id !== app.appId) return false;
  if (redirectUri !== '' && redirectUri !== code.redirect_uri) return false;
  if (typeof code.challenge !== 'string') return verifier === '';
  return isSameSecret(createHash('sha256').update(verifier).digest('base64url'), code.challenge);
}

/** A code that was used: whoever comes after the winner's commit holds a stolen one, or lost it to a thief. */
async function judgeUsed({ services }: Context, code: Row, arrival: Arrival): Promise<Outcome> {
  const { database, clock, log } = services;
  if (findRace(services).isReplay(code, arrival)) {
    const grantId = Number(code.grant_id);
    await database.write(() => revokeGrant(database, grantId, toSeconds(clock.now())));
    log.warn('oauth-code-replayed', { app: code.app_id, grant: grantId });
  }
  return { fault: BAD_CODE };
}

/** The token's row of a code that is being exchanged. */
function toTokenRow(code: Row, { access, secret, seconds }: Omit<Issued, 'code' | 'profile'>, now: number): Row {
  return {
    token_hash: digest(access),
    secret_hash: digest(secret),
    kind: 'access',
    grant_id: code.grant_id,
    app_id: code.app_id,
    auth_id: code.auth_id,
    profile_id: code.profile_id,
    scopes: JSON.stringify(parseList(code.scopes)),
    created_at: toSeconds(now),
    expires_at: toSeconds(now) + seconds,
  };
}

/** Takes the code and stores the token, in one transaction; undefined where another exchange was first. */
async function take({ services, plan }: Context, code: Row, profile: Row): Promise<Issued | undefined> {
  const { database, clock, random } = services;
  const hash = String(code.code_hash);
  const issued = {
    access: createToken(random, 'tk_at_'),
    secret: createToken(random, 'tk_as_'),
    seconds: plan.model.settings.oauth.classicAccessSeconds,
  };
  const now = clock.now();
  const race = findRace(services);
  const state = { isHeld: false };
  try {
    const isMine = await database.transaction(async () => {
      if (!(await consumeCode(database, hash, now))) return false;
      race.hold(hash);
      state.isHeld = true;
      await insertToken(database, toTokenRow(code, issued, now));
      return true;
    });
    if (!isMine) return undefined;
  } catch (error) {
    if (state.isHeld) race.release(hash);
    throw error;
  }
  await markCommitted(database, hash, clock.now());
  await race.commit(hash);
  return { ...issued, code, profile };
}

async function exchange(context: Context, wish: Wish & { readonly address: string }): Promise<Outcome> {
  const { services } = context;
  const codeHash = digest(wish.code);
  const arrival = findRace(services).arrive(codeHash);
  const missing = Object.entries({ client_id: wish.clientId, code: wish.code }).filter(([, value]) => value === '');
  if (missing.length > 0) {
    return { fault: badRequest('Invalid Parameters', Object.fromEntries(missing.map(([name]) => [name, EMPTY]))) };
  }
  const app = await findApp(services.database, 'client_id', wish.clientId);
  const clientFault = findClientFault(context, app, wish);
  if (clientFault || !app) return { fault: clientFault ?? BAD_CLIENT };
  const code = await findCode(services.database, codeHash);
  if (!code || !isFitting(code, app, wish)) return { fault: BAD_CODE };
  if (code.consumed_at !== null) return judgeUsed(context, code, arrival);
  if (Number(code.expires_at) <= toSeconds(services.clock.now()) || code.auth_active !== 1) return { fault: BAD_CODE };
  const profile = await findProfile(services.database, Number(code.profile_id));
  const { active } = context.plan.model.schemas.get('profile') ?? {};
  if (!profile || (active !== undefined && profile[active] !== 1)) return { fault: BAD_CODE };
  const token = await take(context, code, profile);
  return token ? { token } : { fault: BAD_CODE };
}

async function answer(context: Context, request: Request, response: Response): Promise<void> {
  const address = String(request.getServer('REMOTE_ADDR') ?? '');
  const outcome = await exchange(context, { ...parseWish(request), address });
  if ('fault' in outcome) return refuseToken(response, outcome.fault);
  const { access, secret, code, profile, seconds } = outcome.token;
  // Beside the results, which have these five members and no other: what the standard form of the answer adds.
  response.set('token', { expires_in: seconds, scope: parseList(code.scopes).join(' ') });
  succeed(response, {
    access_token: access,
    access_secret: secret,
    profile_id: String(code.profile_id),
    profile_name: String(profile.profile_name ?? ''),
    profile_created: String(profile.profile_created ?? ''),
  });
}

export const restAccess: EventContribution = {
  event: 'rest-access',
  description: 'Exchanges an authorization code for an access token and its secret.',
  stage: {
    client_id: 'The app.',
    client_secret: "The app's secret; a public app has none.",
    code: 'The code that the dialog gave.',
    redirect_uri: 'The address that the code was sent to; may be left out.',
    code_verifier: 'The text whose challenge was sent with the request, where one was.',
  },
  results: '`access_token`, `access_secret`, `profile_id`, `profile_name`, `profile_created`.',
  // Never handed on to a web hook: the results are secrets.
  commits: 'self',
  listen: (context) => (request, response) => answer(context, request, response),
};
