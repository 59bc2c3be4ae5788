import { hasSecondFactor } from '../../../access/person.ts';
import { markProven } from '../../../access/proof.ts';
import { currentLocale, translate } from '../../../core/text/translate.ts';
import { createRoute, type Exchange, findMe, flash, requireMe } from '../../../page/exchange.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { toLanguagePath } from '../../../plan/language/language-path.ts';
import { fillStage, showAccountPage, stayLoggedIn } from '../page.ts';
import { toWaysIn } from '../provider/account-part.ts';
import { type AuthRow, findAuth } from '../sql.ts';

const PATH = '/auth/account';

/** The languages of the site to choose from; empty if there is only one. */
function listLanguages(auth: AuthRow | undefined) {
  const { offered = [] } = currentLocale() ?? {};
  if (offered.length < 2) return [];
  return offered.map(({ tag, name }) => ({ tag, name, isChosen: tag === auth?.auth_language }));
}

async function showAccount(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const authId = requireMe(exchange, PATH);
  if (authId === undefined) return;
  const typed = request.getPost('profile_name');
  const auth = await findAuth(context.services.database, 'auth_id', authId);
  const own = await toWaysIn(context, exchange);
  await showAccountPage(context, exchange, {
    name: 'account',
    title: 'Your account',
    data: {
      me: request.getSession('me'),
      ...own,
      // Two forms ask for the current password: the message belongs to the one that was sent.
      [request.getPost('action') === 'email' ? 'emailError' : 'passwordError']: response.getValidation('auth_current'),
      languages: listLanguages(auth),
      hasFactor: auth !== undefined && hasSecondFactor(auth),
      email: request.getPost('email'),
      form: { profile_name: typeof typed === 'string' ? typed : request.getSession('me', 'profile_name') },
    },
  });
}

async function change(context: Context, exchange: Exchange, fields: readonly string[]): Promise<void> {
  const { request, response } = exchange;
  fillStage(request, fields, { auth_id: findMe(request) });
  await context.emit('auth-update', request, response);
  if (response.isError()) return showAccount(context, exchange);
  await stayLoggedIn(context, exchange, response.getResults() as Record<string, unknown>);
  if (fields.includes('auth_current')) markProven(context.services, request, Number(findMe(request)));
  flash(exchange, 'Saved.');
  // A page under `/en` would stay in English.
  const language = fields.includes('auth_language') ? request.getPost('auth_language') : '';
  const path = typeof language === 'string' && language !== '' ? toLanguagePath(currentLocale(), language, PATH) : PATH;
  response.removeResults().setRedirect(path);
}

async function changeEmail(context: Context, exchange: Exchange, authId: number): Promise<void> {
  const { request, response } = exchange;
  fillStage(request, ['email', 'auth_current'], { auth_id: authId });
  await context.emit('auth-email', request, response);
  if (response.isError()) return showAccount(context, exchange);
  const message = translate(
    'A mail is on its way to {email}, if that address can be used. Open its link to change your e-mail.',
    { email: response.getResults('email') },
  );
  flash(exchange, message, 'info');
  response.removeResults().setRedirect(PATH);
}

async function postAccount(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const { sessions } = context.services;
  const authId = requireMe(exchange, PATH);
  if (authId === undefined) return;
  const action = request.getPost('action');
  if (action === 'email') return changeEmail(context, exchange, authId);
  if (action === 'name') return change(context, exchange, ['profile_name']);
  if (action === 'language') return change(context, exchange, ['auth_language']);
  if (action === 'password') return change(context, exchange, ['auth_current', 'auth_password', 'confirm']);
  if (action !== 'logout') {
    response.setStatus(400).setError(true, 'Choose what to change.');
    return showAccount(context, exchange);
  }
  await sessions.endAll(authId, request);
  sessions.end(request);
  response.setRedirect('/auth/login');
}

export const accountRoutes: readonly RouteContribution[] = [
  createRoute('GET', PATH, 'Name, language, e-mail, password and sessions of the logged-in user.', showAccount),
  createRoute(
    'POST',
    PATH,
    'Changes the name, the language, the e-mail or the password, or logs out everywhere.',
    postAccount,
  ),
];
