import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import { type Pair, toHere, toLogin } from '../../plan/developer-frame.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';
import { type Asked, AUTHORIZE, type Judged, judgeAuthorization } from './authorization.ts';
import { type Decider, grant, isRemembered, toLifetime } from './consent.ts';
import { toDuration } from './duration.ts';
import { readHeader } from './header.ts';
import { findPending } from './held-scopes.ts';
import { toPermission } from './permission.ts';
import { toFormAction, toPlace } from './redirect-uri.ts';
import { findOwnerName } from './sql.ts';

const PATHS = ['/dialog/request', AUTHORIZE] as const;

/** Nothing of the dialog is stored, framed, or told to the next site by a referrer. */
function protect(response: Response, formAction?: string): void {
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
    .addHeader('referrer-policy', 'no-referrer')
    .addHeader('x-frame-options', 'DENY')
    .addHeader('content-security-policy', policy.join('; '));
}

async function showInvalid(context: Context, { request, response }: Pair, message: string): Promise<void> {
  protect(response);
  response.setStatus(400).setTitle('This request cannot be answered');
  response.setContent(context.services.views.render('oauth', 'invalid', { message }));
  await context.emit('www-render-blank', request, response);
}

/** The logged-in user; undefined for a visitor. */
export function findDecider(request: Request): Decider | undefined {
  const authId = request.getSession('me', 'auth_id');
  const profileId = request.getSession('me', 'profile_id');
  return typeof authId === 'number' && typeof profileId === 'number' ? { authId, profileId } : undefined;
}

/**
 * Answers everything but a request that may be decided: an error page, the login, or a refusal that the app hears of.
 * A visitor logs in before being sent anywhere else, so that the dialog is no open redirector.
 */
async function admit(
  context: Context,
  pair: Pair,
): Promise<{ readonly asked: Asked; readonly me: Decider } | undefined> {
  const { request, response } = pair;
  const judged: Judged = await judgeAuthorization(context, request.getPath('string'), request.getQuery());
  if (judged.kind === 'invalid') {
    await showInvalid(context, pair, judged.message);
    return undefined;
  }
  const me = findDecider(request);
  protect(response, judged.kind === 'asked' ? toFormAction(judged.asked.to.uri) : undefined);
  if (!me) response.setRedirect(toLogin(toHere(request)));
  else if (judged.kind === 'asked' && judged.asked.isTrial && judged.asked.app.ownerAuthId !== me.authId)
    await showInvalid(context, pair, 'The request asks to return to a page that only the app’s developer may open.');
  else if (judged.kind === 'refused') await leave(context, pair, judged.location);
  else return { asked: judged.asked, me };
  return undefined;
}

/**
 * Sends the browser to the app without having asked. Where it comes from the login's form, Chromium holds every
 * redirect to that page's `form-action`, which does not know the app: there a page of our own goes on instead.
 */
async function leave(context: Context, { request, response }: Pair, location: string): Promise<void> {
  if (request.isMethod('POST') || readHeader(request, 'sec-fetch-site') !== 'same-origin') {
    response.setRedirect(location);
    return;
  }
  response.addHeader('refresh', `0;url=${location}`).setTitle('Going on to the app');
  response.setContent(context.services.views.render('oauth', 'continue', { location, place: toPlace(location) }));
  await context.emit('www-render-blank', request, response);
}

async function showDialog(context: Context, { request, response }: Pair, asked: Asked): Promise<void> {
  const { services, plan } = context;
  const { app } = asked;
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
      // What a definition file says was reviewed with the project; what registered itself was not.
      isUnreviewed: app.name === undefined,
    },
    site: plan.model.settings.name,
    me: request.getSession('me'),
    scopes: asked.scopes.map((slug) => toPermission(context, slug)),
    pending: isOwn ? findPending(context, app) : [],
    place: toPlace(asked.to.uri),
    isSection: asked.to.uri.startsWith(`${services.baseUrl()}/developer/app/`),
    lifetime: toDuration(toLifetime(context, asked)),
    isRenewed: asked.isStandard,
  });
  response.setTitle(`Allow ${app.title}?`).setContent(html);
  await context.emit('www-render-blank', request, response);
}

async function openDialog(context: Context, pair: Pair): Promise<void> {
  const found = await admit(context, pair);
  if (!found) return;
  const { asked, me } = found;
  if (!(await isRemembered(context, asked, me))) return showDialog(context, pair, asked);
  await leave(context, pair, await grant(context, asked, { ...me, scopes: asked.scopes }));
}

/** The scopes that were left ticked, of those that were asked for. */
function readTicked(request: Request, asked: Asked): string[] {
  const posted = request.getPost('permissions') ?? request.getPost('permissions[]');
  const list: readonly unknown[] = typeof posted === 'object' && posted !== null ? Object.values(posted) : [posted];
  return asked.scopes.filter((slug) => list.includes(slug));
}

async function decide(context: Context, pair: Pair): Promise<void> {
  const found = await admit(context, pair);
  if (!found) return;
  const { asked, me } = found;
  const { request, response } = pair;
  const action = request.getPost('action');
  if (action === 'allow') {
    response.setRedirect(await grant(context, asked, { ...me, scopes: readTicked(request, asked) }));
  } else if (action === 'deny') {
    response.setRedirect(asked.to({ error: 'access_denied' }));
  } else {
    response.setStatus(400);
    await showDialog(context, pair, asked);
  }
}

export const dialogRoutes: readonly RouteContribution[] = [
  ...PATHS.flatMap((path): RouteContribution[] => [
    {
      method: 'GET',
      path,
      description: 'Asks a user whether an app may act for them.',
      listen: (context) => (request, response) => openDialog(context, { request, response }),
    },
    {
      method: 'POST',
      path,
      description: 'Takes the answer and leads back to the app.',
      listen: (context) => (request, response) => decide(context, { request, response }),
    },
  ]),
  {
    method: 'GET',
    path: '/dialog/invalid',
    description: 'Says that a request to the dialog cannot be answered.',
    listen: (context) => (request, response) =>
      showInvalid(context, { request, response }, 'The app that sent you here made a request that cannot be answered.'),
  },
];
