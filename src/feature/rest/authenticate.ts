import type { Actor } from '../../access/grant.ts';
import { continueWith } from '../../core/continue-with.ts';
import { toObject } from '../../core/record.ts';
import { Request } from '../../core/request/request.ts';
import { Response } from '../../core/request/response.ts';
import { isBatchCall, listChildRelations } from '../../plan/call/batch.ts';
import { listCallScopes } from '../../plan/call/scope.ts';
import type { CallPlan, Context, Limiter } from '../../plan/feature.ts';
import { countChildren } from './batch/child.ts';
import type { CallExchange, Caller, CallStep } from './call-step.ts';
import { isRead, readClient, readToken, type TokenCredentials } from './credentials.ts';
import { type Challenges, CODES, createChallenges, MESSAGES, refuse } from './errors.ts';

type Turn = ReturnType<Limiter['take']>;

/** Window of the limit in seconds. */
const WINDOW_SECONDS = 60;
const POLICY = 'default';
/** Problem type of a 429. @see draft-ietf-httpapi-ratelimit-headers, section "Problem type" */
const QUOTA = 'https://iana.org/assignments/http-problem-types#quota-exceeded';

/**
 * Sets the rate limit headers, and refuses with 429 (then gives false) if the limit is reached. `Retry-After`
 * is never before a request is free again.
 *
 * @see draft-ietf-httpapi-ratelimit-headers
 */
function tellTurn(response: Response, limit: number, turn: Turn): boolean {
  const reset = turn.isAllowed ? (turn.resetSeconds ?? WINDOW_SECONDS) : Math.max(1, Math.ceil(turn.retrySeconds));
  response
    .addHeader('ratelimit-policy', `"${POLICY}";q=${limit};w=${WINDOW_SECONDS}`)
    .addHeader('ratelimit', `"${POLICY}";r=${turn.isAllowed ? turn.left : 0};t=${reset}`);
  if (turn.isAllowed) return true;
  response.addHeader('retry-after', String(reset)).set('problem', { type: QUOTA, 'violated-policies': [POLICY] });
  return refuse(response, { status: 429, code: 'RATE_REACHED', message: MESSAGES.rate });
}

/** The app found by the event `rest-source-app-detail`. */
function toAppActor(results: unknown): Actor {
  const source = toObject(results);
  return {
    kind: 'app',
    appId: Number(source.app_id),
    clientId: String(source.client_id),
    scopes: toSlugs(source.scopes),
  };
}

/** The user found by the event `rest-source-session-detail`. */
function toUserActor(results: unknown): Actor {
  const source = toObject(results);
  const profileId = Number(source.profile_id ?? Number.NaN);
  return {
    kind: 'user',
    appId: Number(source.app_id),
    clientId: String(source.client_id),
    authId: Number(source.auth_id),
    ...(Number.isInteger(profileId) ? { profileId } : {}),
    scopes: toSlugs(source.scopes),
  };
}

function toSlugs(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((slug) => typeof slug === 'string') : [];
}

/** Identifies the caller, or answers with a refusal and gives undefined. */
type Authenticator = (request: Request, response: Response) => Promise<Caller | undefined> | Caller | undefined;

/** Events that change data, whatever the method of their call. */
const CHANGES = /^system-(?:model-(?:create|update|remove|restore|import|batch)|relation-(?:link|unlink|unlink-all))$/;

interface GuardedCall {
  readonly context: Context;
  readonly call: CallPlan;
  readonly challenges: Challenges;
  /** Scopes of the call's own kind that list it. */
  readonly scopes: readonly string[];
  /** True if the call changes data even by GET. */
  readonly isChanging: boolean;
  readonly count: Count | undefined;
}

/** True if a call's event is a built-in one that changes data. */
export const isChangingEvent = (event: string): boolean => CHANGES.test(event);

function toGuarded(call: CallPlan, context: Context, count: Count | undefined): GuardedCall {
  const { model } = context.plan;
  return {
    context,
    call,
    challenges: createChallenges(model.settings.name, model.schemas.has('profile') ? findMetadata(context) : undefined),
    scopes: listCallScopes(call, model),
    isChanging: isChangingEvent(call.definition.event),
    count,
  };
}

const toAuthenticator = (guarded: GuardedCall): Authenticator =>
  guarded.call.definition.access === 'app'
    ? (request, response) => authenticateApp(guarded, request, response)
    : (request, response) => authenticateUser(guarded, request, response);

/**
 * Compiles the steps that find the caller, count the request and ask for a scope; none of them for a public call.
 * @param count Default: that of the call.
 */
export function compileAuthentication(
  call: CallPlan,
  context: Context,
  count = compileCount(call, context),
): CallStep[] {
  if (call.definition.access === 'public') return [];
  const guarded = toGuarded(call, context, count);
  const authenticate = toAuthenticator(guarded);
  const steps: CallStep[] = [
    {
      name: 'authenticate',
      run: (x, next) =>
        continueWith(authenticate(x.request, x.response), (caller) => {
          if (caller === undefined) return false;
          x.caller = caller;
          return next(x);
        }),
    },
    { name: 'limit', run: (x, next) => takeTurn(guarded, x) && next(x) },
  ];
  // Each item of a batch asks for the scope of its own call.
  if (!isBatchCall(call)) steps.push({ name: 'scope', run: (x, next) => hasScope(guarded, x) && next(x) });
  return steps;
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

/** Whether the credentials of a call may come in its body, so that nothing can be said before it is read. */
function mayBringCredentials({ definition: { access } }: CallPlan, request: Request): boolean {
  if (access === 'public' || request.getHeader('authorization') !== undefined) return false;
  return access === 'app' || request.hasGet('access_token') || FORM_TYPE.test(request.getHeader('content-type') ?? '');
}

/** Refuses a caller before the body was read: gives false. What its body may still bring is not asked for. */
export async function judgeCaller(
  call: CallPlan,
  context: Context,
  exchange: Pick<CallExchange, 'request' | 'response'>,
): Promise<boolean> {
  const { request, response } = exchange;
  if (call.definition.access === 'public' || mayBringCredentials(call, request)) return true;
  const guarded = toGuarded(call, context, compileCount(call, context));
  const caller = await toAuthenticator(guarded)(request, response);
  return caller !== undefined && (isBatchCall(call) || hasScope(guarded, { ...exchange, caller }));
}

/**
 * Address of the metadata that names the authorization server. The oauth feature serves it if the model has
 * profiles.
 */
const findMetadata =
  ({ services }: Context) =>
  (): string =>
    `${services.baseUrl()}/.well-known/oauth-protected-resource`;

function ask(context: Context, event: string, stage: Record<string, unknown>): Promise<Response> {
  const response = new Response();
  return context.emit(event, new Request().setStage(stage), response).then(() => response);
}

async function authenticateApp(
  guarded: GuardedCall,
  request: Request,
  response: Response,
): Promise<Caller | undefined> {
  const { context, challenges } = guarded;
  const client = readClient(request);
  // An app that identifies itself is judged by that, even if a token came too.
  if (client.id === undefined && client.secret === undefined && !client.isAmbiguous) {
    const given = readToken(request, false);
    if (given.token !== undefined) return authenticateAppToken(guarded, given, response);
  }
  const challenge = challenges.basic();
  const isSecretNeeded = guarded.isChanging || !isRead(request);
  if (client.isAmbiguous) return refused(response, 400, 'appTwice');
  if (client.id === undefined) return refused(response, 401, 'appMissing', challenge);
  if (client.isSecretInQuery && context.plan.model.settings.oauth.mode !== 'classic')
    return refused(response, 400, 'secretInQuery');
  if (isSecretNeeded && client.secret === undefined) return refused(response, 401, 'secretMissing', challenge);
  const found = await ask(context, 'rest-source-app-detail', {
    client_id: client.id,
    ...(client.secret === undefined ? {} : { client_secret: client.secret }),
    isSecretNeeded,
  });
  if (found.isError() || !found.hasResults()) return refused(response, 401, 'appUnknown', challenge);
  if (client.isSecretInQuery) response.addHeader('cache-control', 'no-store');
  const actor = toAppActor(found.getResults());
  return { actor, limitKey: `rest:app:${actor.clientId}`, by: 'app' };
}

/** An app call with a token from `client_credentials`: it also replaces the secret. */
async function authenticateAppToken(
  { context, challenges }: GuardedCall,
  given: TokenCredentials,
  response: Response,
): Promise<Caller | undefined> {
  if (given.isAmbiguous) return refused(response, 400, 'tokenTwice', challenges.bearer('invalid_request'));
  const found = await ask(context, 'rest-source-session-detail', { access_token: given.token });
  if (found.isError() || !found.hasResults()) {
    return refused(response, 401, 'tokenUnknown', challenges.bearer('invalid_token'));
  }
  if (isOfUser(found)) return refused(response, 403, 'tokenOfUser', challenges.bearer('insufficient_scope'));
  const actor = toAppActor(found.getResults());
  return { actor, limitKey: `rest:app:${actor.clientId}`, by: 'token' };
}

/** True if a user granted the token. */
function isOfUser(found: Response): boolean {
  return typeof found.getResults('auth_id') === 'number';
}

function authenticateUser(guarded: GuardedCall, request: Request, response: Response): ReturnType<Authenticator> {
  const { context, challenges } = guarded;
  const { mode } = context.plan.model.settings.oauth;
  const given = readToken(request, mode !== 'strict');
  if (given.isQuery) response.addHeader('cache-control', 'no-store');
  if (given.isAmbiguous) {
    return refused(response, 400, 'tokenTwice', challenges.bearer('invalid_request'));
  }
  if (given.isSecretInQuery && mode !== 'classic') {
    return refused(response, 400, 'secretInQuery', challenges.bearer('invalid_request'));
  }
  if (given.token === undefined) return refused(response, 401, 'tokenMissing', challenges.bearer());
  return ask(context, 'rest-source-session-detail', {
    access_token: given.token,
    ...(given.secret === undefined ? {} : { access_secret: given.secret }),
    isQuery: given.isQuery,
  }).then((found) => judgeUser(guarded, given, found, response));
}

/** The caller of a user's token. */
function judgeUser(
  guarded: GuardedCall,
  given: TokenCredentials,
  found: Response,
  response: Response,
): Caller | undefined {
  if (found.isError() || !found.hasResults()) {
    return refused(response, 401, 'tokenUnknown', guarded.challenges.bearer('invalid_token'));
  }
  const actor = toUserActor(found.getResults());
  if (!isOfUser(found)) return refused(response, 403, 'tokenOfApp', toScopeChallenge(guarded));
  const isReading = given.isQuery && given.secret === undefined;
  return { actor, limitKey: `rest:token:${actor.appId}:${actor.authId}`, by: 'token', isReading };
}

/** Whether the caller holds a scope that lists the call; refuses it otherwise. A user call needs one, an app call if any lists it. */
function hasScope(guarded: GuardedCall, { caller, request, response }: Omit<CallExchange, 'meta'>): boolean {
  const { challenges, scopes, isChanging, call } = guarded;
  const { actor, by, isReading } = caller;
  if (isReading && (isChanging || !isRead(request)))
    return refuse(
      response,
      { status: 403, code: 'TOKEN_READS_ONLY', message: MESSAGES.tokenReads },
      challenges.bearer('insufficient_scope'),
    );
  if (scopes.length === 0 && call.definition.access === 'user')
    return refuse(
      response,
      { status: 403, code: 'CALL_WITHOUT_SCOPE', message: MESSAGES.unreachable },
      challenges.bearer('insufficient_scope'),
    );
  if (scopes.length === 0 || holdsOne(actor, scopes)) return true;
  const message = `The ${by} needs the scope ${scopes.join(' or ')}.`;
  return refuse(response, { status: 403, code: 'SCOPE_MISSING', message }, toScopeChallenge(guarded));
}

function toScopeChallenge(guarded: GuardedCall): string {
  return guarded.challenges.bearer('insufficient_scope', { scope: guarded.scopes.join(' ') });
}

function holdsOne(actor: Actor, scopes: readonly string[]): boolean {
  return scopes.some((slug) => actor.scopes.includes(slug));
}

/** A request counts as at most this many; a larger one is refused anyway. */
const MOST_COUNTED = 100;

/** As how many requests one counts. */
type Count = (request: Request) => number;

/**
 * A batch counts as one request for each operation, and a row for each child that it brings, so that they cannot bypass the limit.
 * Undefined for calls whose requests count as one.
 */
function compileCount(call: CallPlan, { plan }: Context): Count | undefined {
  const children = listChildRelations(call, plan);
  if (children.length > 0) return (request) => 1 + countChildren(children, toObject(request.getPost()));
  if (call.definition.event !== 'system-model-batch') return undefined;
  return (request) => {
    const operations = request.getPost('operations');
    return Array.isArray(operations) ? operations.length : 1;
  };
}

function takeTurns({ context, count }: GuardedCall, key: string, limit: number, request: Request): Turn {
  const { limiter } = context.services;
  let turn = limiter.take(key, limit, WINDOW_SECONDS);
  const most = count === undefined ? 1 : Math.min(count(request), MOST_COUNTED);
  for (let taken = 1; taken < most && turn.isAllowed; taken += 1) turn = limiter.take(key, limit, WINDOW_SECONDS);
  return turn;
}

/**
 * Counts the request against the limit per minute of its app or token; answers 429 if the limit is reached.
 */
function takeTurn(guarded: GuardedCall, { caller, request, response }: CallExchange): boolean {
  if (caller.limitKey === undefined) return true;
  const limit = guarded.context.plan.model.settings.limits.perMinute;
  return tellTurn(response, limit, takeTurns(guarded, caller.limitKey, limit, request));
}

function refused(response: Response, status: number, fault: keyof typeof CODES, challenge?: string): undefined {
  refuse(response, { status, code: CODES[fault], message: MESSAGES[fault] }, challenge);
  return undefined;
}
