import type { Request } from '../../../core/request/request.ts';
import { isSameSecret } from '../../../core/secret/secret.ts';
import { isLoopbackHost, parseHost } from '../../../core/text/host.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import { createRoute, type Exchange, toHere, toLogin } from '../../../page/exchange.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { findPending } from '../client/allowed-scopes.ts';
import { toFormAction, toPlace } from '../client/redirect-uri.ts';
import { findOwnerName } from '../sql.ts';
import { AUTHORIZE, type AuthorizationCheck, type AuthorizationRequest, judgeAuthorization } from './authorization.ts';
import { type Decider, findLifetime, grant, isRemembered, TOO_MANY_CONSENTS } from './consent.ts';
import { toDuration } from './duration.ts';
import { describeScope } from './permission.ts';

const PATHS = ['/dialog/request', AUTHORIZE] as const;

/**
 * Browsers send `Sec-Fetch-Site` with a form to https and to this machine. Elsewhere they tell by `Origin` only where it
 * comes from, and hide that on a page without referrer.
 */
function toReferrerPolicy(request: Request): string {
  const host = parseHost(String(request.getHeader('host') ?? ''));
  const isTold = request.getServer('HTTPS') === 'on' || host === undefined || isLoopbackHost(host);
  return isTold ? 'no-referrer' : 'same-origin';
}

/** Keeps the dialog out of caches and frames, and its URL out of the next site's referrer. */
function protect({ request, response }: Exchange, formAction?: string): void {
  const policy = [
    "default-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action 'self'${formAction === undefined ? '' : ` ${formAction}`}`,
  ];
  response
    .addHeader('cache-control', 'no-store')
    .addHeader('pragma', 'no-cache')
    .addHeader('referrer-policy', toReferrerPolicy(request))
    .addHeader('x-frame-options', 'DENY')
    .addHeader('content-security-policy', policy.join('; '));
}

async function showInvalid(
  context: Context,
  { request, response }: Exchange,
  message: string,
  status = 400,
): Promise<void> {
  protect({ request, response });
  response.setStatus(status).setTitle('This request cannot be answered');
  response.setContent(context.services.views.render('oauth', 'invalid', { message: toLocalText(message) }));
  await context.emit('www-render-blank', request, response);
}

/** The logged-in user; undefined for a visitor. */
export function findDecider(request: Request): Decider | undefined {
  const authId = request.getSession('me', 'auth_id');
  const profileId = request.getSession('me', 'profile_id');
  return typeof authId === 'number' && typeof profileId === 'number' ? { authId, profileId } : undefined;
}

/**
 * Handles everything but a valid request: an error page, the login, or a redirect with an error. A visitor
 * logs in before any redirect, so that the dialog is no open redirector.
 */
async function admit(
  context: Context,
  exchange: Exchange,
): Promise<{ readonly asked: AuthorizationRequest; readonly me: Decider } | undefined> {
  const { request, response } = exchange;
  const judged: AuthorizationCheck = await judgeAuthorization(context, request.getPath('string'), request.getQuery());
  if (judged.kind === 'invalid') {
    await showInvalid(context, exchange, judged.message);
    return undefined;
  }
  const me = findDecider(request);
  protect(exchange, judged.kind === 'asked' ? toFormAction(judged.asked.to.uri) : undefined);
  if (!me) response.setRedirect(toLogin(toHere(request)));
  else if (judged.kind === 'asked' && judged.asked.isTrial && judged.asked.app.ownerAuthId !== me.authId)
    await showInvalid(
      context,
      exchange,
      'The request asks to return to a page that only the app’s developer may open.',
    );
  else if (judged.kind === 'refused') await leave(context, exchange, judged.location);
  else return { asked: judged.asked, me };
  return undefined;
}

/** Whether a page of this site sent the browser here: over plain http only the referrer tells it. */
function isFromHere(request: Request): boolean {
  const site = request.getHeader('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const referrer = String(request.getHeader('referer') ?? '');
  return URL.canParse(referrer) && new URL(referrer).host === request.getHeader('host');
}

/**
 * Redirects to the app without asking. After the login form Chromium checks every redirect against that
 * page's `form-action`, which does not name the app; then an intermediate page redirects.
 */
async function leave(context: Context, { request, response }: Exchange, location: string): Promise<void> {
  if (request.isMethod('POST') || !isFromHere(request)) {
    response.setRedirect(location);
    return;
  }
  response.addHeader('refresh', `0;url=${location}`).setTitle('Redirecting to the app');
  response.setContent(context.services.views.render('oauth', 'continue', { location, place: toPlace(location) }));
  await context.emit('www-render-blank', request, response);
}

async function showDialog(
  context: Context,
  { request, response }: Exchange,
  authorization: AuthorizationRequest,
): Promise<void> {
  const { services, plan } = context;
  const { app } = authorization;
  const owner = app.ownerAuthId === undefined ? undefined : await findOwnerName(services.database, app.ownerAuthId);
  const isOwn = app.ownerAuthId !== undefined && app.ownerAuthId === request.getSession('me', 'auth_id');
  const html = services.views.render('oauth', 'dialog', {
    action: toHere(request),
    logout: `/auth/logout?redirect_uri=${encodeURIComponent(toHere(request))}`,
    csrf: services.sessions.formToken(request),
    app: {
      title: app.title,
      initial: [...app.title.trim()][0]?.toUpperCase(),
      website: app.website,
      host: app.website === undefined ? undefined : toPlace(app.website),
      owner,
      // An app of a definition file was reviewed with the project; a registered one was not.
      isUnreviewed: app.name === undefined,
    },
    site: plan.model.settings.name,
    me: request.getSession('me'),
    scopes: authorization.scopes.map((slug) => describeScope(context, slug)),
    pending: isOwn ? findPending(context, app) : [],
    place: toPlace(authorization.to.uri),
    isSection: authorization.to.uri.startsWith(`${services.baseUrl()}/developer/app/`),
    lifetime: toDuration(findLifetime(context, authorization)),
    isRenewed: authorization.isStandard,
  });
  response.setTitle(translate('Allow {title}?', { title: app.title })).setContent(html);
  await context.emit('www-render-blank', request, response);
}

async function openDialog(context: Context, exchange: Exchange): Promise<void> {
  const found = await admit(context, exchange);
  if (!found) return;
  const { asked: authorization, me } = found;
  if (!(await isRemembered(context, authorization, me))) return showDialog(context, exchange, authorization);
  const location = await grant(context, authorization, { ...me, scopes: authorization.scopes });
  if (location === undefined) await showInvalid(context, exchange, TOO_MANY_CONSENTS, 429);
  else await leave(context, exchange, location);
}

/** The scopes left ticked, out of those requested. */
function readTicked(request: Request, authorization: AuthorizationRequest): string[] {
  const posted = request.getPost('permissions') ?? request.getPost('permissions[]');
  const list: readonly unknown[] = typeof posted === 'object' && posted !== null ? Object.values(posted) : [posted];
  return authorization.scopes.filter((slug) => list.includes(slug));
}

/** Whether a post lacks both the dialog's form token and the headers that tell its origin. */
function isUnproven({ services }: Context, request: Request): boolean {
  if ((request.getHeader('sec-fetch-site') ?? request.getHeader('origin')) !== undefined) return false;
  const token = request.getPost('csrf');
  return typeof token !== 'string' || !isSameSecret(services.sessions.formToken(request), token);
}

async function decide(context: Context, exchange: Exchange): Promise<void> {
  const found = await admit(context, exchange);
  if (!found) return;
  const { asked: authorization, me } = found;
  const { request, response } = exchange;
  if (isUnproven(context, request)) {
    response.setStatus(403);
    return showDialog(context, exchange, authorization);
  }
  const action = request.getPost('action');
  if (action === 'allow') {
    const location = await grant(context, authorization, { ...me, scopes: readTicked(request, authorization) });
    if (location === undefined) await showInvalid(context, exchange, TOO_MANY_CONSENTS, 429);
    else response.setRedirect(location);
  } else if (action === 'deny') {
    response.setRedirect(authorization.to({ error: 'access_denied' }));
  } else {
    response.setStatus(400);
    await showDialog(context, exchange, authorization);
  }
}

export const dialogRoutes: readonly RouteContribution[] = [
  ...PATHS.flatMap((path) => [
    createRoute('GET', path, 'Asks a user whether an app may act for them.', openDialog),
    createRoute('POST', path, 'Takes the answer and redirects to the app.', decide),
  ]),
  createRoute('GET', '/dialog/invalid', 'Says that a request to the dialog cannot be answered.', (context, exchange) =>
    showInvalid(context, exchange, 'The app that sent you here made a request that cannot be answered.'),
  ),
];
