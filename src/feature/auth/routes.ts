import { toNetwork } from '../../core/text/network.ts';
import { currentLocale } from '../../core/text/translate.ts';
import type { Model } from '../../model/model.ts';
import { createRoute, type Exchange, findMe, flash } from '../../page/exchange.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';
import { toAddress } from './account/account.ts';
import { accountRoutes } from './account/account-routes.ts';
import { hasAdministrator } from './account/administrator.ts';
import { dataRoutes } from './account/data-routes.ts';
import { asksForFiles, editSignup, toSignupForm, toSignupStage } from './account/signup-fields.ts';
import { LINK_GONE } from './errors.ts';
import { mailRoutes, showMailed } from './mail/mail-routes.ts';
import { findToken } from './mail/mail-token.ts';
import { fillStage, logIn, showAccountPage } from './page.ts';
import { listButtons } from './provider/buttons.ts';
import { listProviderRoutes } from './provider/routes.ts';
import { toPasskeyData } from './second-factor/pages.ts';
import { takeWaiting } from './second-factor/waiting.ts';
import { sessionRoutes } from './session-routes.ts';
import { findTarget, toCarried } from './way-back.ts';

/** A developer who opens the admin section before there is anybody to log in as. */
const lacksAdministrator = async ({ plan, services }: Context, target: string): Promise<boolean> =>
  plan.isDevelopment && /^\/admin(?:[/?]|$)/.test(target) && !(await hasAdministrator(services.database));

async function showForm(context: Context, exchange: Exchange, name: 'login' | 'signup'): Promise<void> {
  const target = findTarget(context, exchange.request);
  const carried = toCarried(context, target);
  const { auth_slug, profile_name } = exchange.request.getPost() as Record<string, unknown>;
  await showAccountPage(context, exchange, {
    name,
    title: name === 'login' ? 'Log in' : 'Sign up',
    data: {
      ...toPasskeyData(context, exchange),
      form: { auth_slug, profile_name },
      ...(name === 'signup' ? toSignupForm(context.plan.model, exchange) : {}),
      lacksAdministrator: await lacksAdministrator(context, target),
      ...carried,
      providers: listButtons(context, carried.target),
      isSignupOpen: context.plan.model.settings.auth.signup,
      asksToVerify: context.plan.model.settings.auth.verify,
    },
  });
}

async function openForm(context: Context, exchange: Exchange, name: 'login' | 'signup'): Promise<void> {
  if (findMe(exchange.request) === undefined) return showForm(context, exchange, name);
  exchange.response.setRedirect(findTarget(context, exchange.request));
}

async function postLogin(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const target = findTarget(context, exchange.request);
  fillStage(request, ['auth_slug', 'auth_password']);
  await context.emit('auth-login', request, response);
  const waiting = takeWaiting(request);
  if (waiting !== undefined) response.setStatus(200).setError(false);
  if (response.isError()) return showForm(context, exchange, 'login');
  const account = waiting ?? (response.getResults() as Record<string, unknown>);
  response.removeResults();
  await logIn(context, exchange, account, { target });
}

/** Sign-ups per network and minute. */
const SIGNUPS = 30;

async function postSignup(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const target = findTarget(context, exchange.request);
  if (editSignup(exchange)) return showForm(context, exchange, 'signup');
  const turn = context.services.limiter.take(`auth:signup:${toNetwork(toAddress(request))}`, SIGNUPS, 60);
  if (!turn.isAllowed) {
    response.addHeader('retry-after', String(turn.retrySeconds)).setStatus(429);
    response.setError(true, `Too many sign-ups from your network. Try again in ${turn.retrySeconds} seconds.`);
    return showForm(context, exchange, 'signup');
  }
  const own = toSignupStage(context.plan.model, request);
  fillStage(request, ['profile_name', 'auth_slug', 'auth_password', 'confirm'], own);
  await context.emit('auth-create', request, response);
  if (response.isError()) return showForm(context, exchange, 'signup');
  const account = response.getResults() as Record<string, unknown>;
  response.removeResults();
  const { verify } = context.plan.model.settings.auth;
  if (verify) return showMailed(context, exchange, { slug: account.auth_slug, purpose: 'verify', target });
  if (account.auth_active === 1) {
    await logIn(context, exchange, account, { target });
  } else {
    flash(exchange, 'Your account was created. It must be activated before you can log in.', 'info');
    response.setRedirect('/auth/login');
  }
}

async function showLogout(context: Context, exchange: Exchange): Promise<void> {
  const target = findTarget(context, exchange.request);
  if (findMe(exchange.request) === undefined) exchange.response.setRedirect(target);
  else await showAccountPage(context, exchange, { name: 'logout', title: 'Log out', data: { target } });
}

async function postLogout(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const target = findTarget(context, exchange.request);
  request.removeStage();
  await context.emit('auth-logout', request, response);
  if (response.isError())
    return showAccountPage(context, exchange, { name: 'logout', title: 'Log out', data: { target } });
  response.removeResults().setRedirect(target);
}

/** The form of the link that `treadle dev` prints: a sign-up that makes an administrator. */
async function showSetup(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const token = request.getPost('token') ?? request.getGet('token');
  const isOpen = (await findToken(context.services, token, 'setup')) !== undefined;
  if (!isOpen && !response.isError()) response.refuse(LINK_GONE);
  const { auth_slug, profile_name } = request.getPost() as Record<string, unknown>;
  const own = toSignupForm(context.plan.model, exchange);
  const data = { token, isOpen, ...own, form: { auth_slug, profile_name } };
  await showAccountPage(context, exchange, { name: 'setup', title: 'First administrator', data });
}

async function postSetup(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  if (editSignup(exchange)) return showSetup(context, exchange);
  const own = { ...toSignupStage(context.plan.model, request), auth_language: currentLocale()?.tag ?? '' };
  fillStage(request, ['token', 'profile_name', 'auth_slug', 'auth_password', 'confirm'], own);
  await context.emit('auth-setup', request, response);
  if (response.isError()) return showSetup(context, exchange);
  const account = response.getResults() as Record<string, unknown>;
  response.removeResults();
  await logIn(context, exchange, account, { target: '/admin' });
}

/** Routes for visitors; if sign-up is closed, its two routes do not exist. */
export function routes(model: Model): RouteContribution[] {
  const { settings } = model;
  const signup: RouteContribution[] = [
    createRoute('GET', '/auth/signup', 'The sign-up form.', (context, exchange) =>
      openForm(context, exchange, 'signup'),
    ),
    {
      ...createRoute(
        'POST',
        '/auth/signup',
        'Creates an account and logs it in; with `auth.verify` mails a link instead.',
        postSignup,
      ),
      takesFiles: asksForFiles(model),
    },
  ];
  return [
    createRoute('GET', '/auth/login', 'The login form.', (context, exchange) => openForm(context, exchange, 'login')),
    createRoute('POST', '/auth/login', 'Logs in and redirects.', postLogin),
    ...(settings.auth.signup ? signup : []),
    createRoute('GET', '/auth/logout', 'A button that logs out; opening it changes nothing.', showLogout),
    createRoute('POST', '/auth/logout', 'Ends the session.', postLogout),
    createRoute(
      'GET',
      '/auth/setup',
      'The form for the first administrator, by the link that `treadle dev` prints.',
      showSetup,
    ),
    {
      ...createRoute('POST', '/auth/setup', 'Creates the first administrator and logs in.', postSetup),
      takesFiles: asksForFiles(model),
    },
    ...mailRoutes,
    ...accountRoutes,
    ...sessionRoutes,
    ...dataRoutes,
    ...listProviderRoutes(model),
  ];
}
