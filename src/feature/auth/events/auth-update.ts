import { asSystem } from '../../../core/access.ts';
import { toStamp } from '../../../core/clock.ts';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { readText, toAccount } from '../account/account.ts';
import { answerShownAccount } from '../account/shown-account.ts';
import { isCurrentPassword } from '../current-password.ts';
import { EMPTY, invalid, NAME_REFUSED, NOBODY, tellBusy } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { findLanguageError, LANGUAGE_STAGE } from '../language.ts';
import { findPasswordErrors, makeHash } from '../password-rule.ts';
import { type AuthRow, findProfile, hasPassword, updateAuth } from '../sql.ts';

/** Checks the new and the current password. Returns the new hash, or undefined after a refusal. */
async function checkPassword(
  context: Context,
  auth: AuthRow,
  { request, response }: Exchange,
): Promise<string | undefined> {
  const password = readText(request.getStage('auth_password'));
  const current = readText(request.getStage('auth_current'));
  const confirm = request.getStage('confirm');
  const errors = findPasswordErrors(password, confirm === undefined ? undefined : readText(confirm));
  if (current === '' && hasPassword(auth)) errors.auth_current = EMPTY;
  if (Object.keys(errors).length > 0) {
    response.refuse(invalid(errors));
    return undefined;
  }
  if (!(await isCurrentPassword(context, auth, { request, response }))) return undefined;
  return makeHash(context, request, password);
}

/** Renames the profile; false if the model's validation refuses the name. */
async function rename(context: Context, auth: AuthRow, exchange: Exchange): Promise<boolean> {
  const inner = new Request().setStage({
    schema: 'profile',
    profile_id: auth.profile_id,
    profile_name: readText(exchange.request.getStage('profile_name')).trim(),
  });
  const answer = new Response(inner);
  await asSystem(() => context.emit('system-model-update', inner, answer));
  if (!answer.isError()) return true;
  const validation = answer.getValidation() as Record<string, string>;
  exchange.response.refuse({ status: answer.getStatus(), message: answer.getMessage() ?? NAME_REFUSED, validation });
  return false;
}

const toLanguage = (request: Request): Row =>
  request.hasStage('auth_language') ? { auth_language: readText(request.getStage('auth_language')) } : {};

async function update(context: Context, request: Request, response: Response): Promise<void> {
  const { database, clock, sessions } = context.services;
  const auth = await findSelectedAuth(database, request);
  if (!auth) return response.refuse(NOBODY);
  const exchange = { request, response };
  const isNamed = request.getStage('profile_name') !== undefined;
  if (isNamed && readText(request.getStage('profile_name')).trim() === '') {
    return response.refuse(invalid({ profile_name: EMPTY }));
  }
  const languageError = findLanguageError(context, request);
  if (languageError !== undefined) return response.refuse(invalid({ auth_language: languageError }));
  const isPassword = request.getStage('auth_password') !== undefined;
  const hash = isPassword ? await checkPassword(context, auth, exchange) : undefined;
  if (isPassword && hash === undefined) return;
  await database.transaction(async () => {
    if (isNamed && !(await rename(context, auth, exchange))) return;
    const changes = { ...(hash === undefined ? {} : { auth_password: hash }), ...toLanguage(request) };
    const row = await updateAuth(database, auth.auth_id, { ...changes, auth_updated: toStamp(clock.now()) });
    response.succeed(toAccount(context, row ?? auth, await findProfile(database, auth.profile_id)));
    await context.committing('auth-update', request, response);
  });
  await answerShownAccount(context, request, response);
  // Ends all sessions that used the old password, except the current one.
  if (hash !== undefined && !response.isError()) await sessions.endAll(auth.auth_id, request);
}

export const authUpdate: EventContribution = {
  event: 'auth-update',
  description: 'Changes the name, the language or the password of an account; a new password ends its other sessions.',
  stage: {
    auth_id: 'The account, or use `auth_slug`.',
    profile_name: 'New name.',
    auth_language: LANGUAGE_STAGE,
    auth_password: 'New password.',
    confirm: 'The new password again.',
    auth_current: 'The current password; required with a new one, unless the account has none.',
  },
  results: 'The account and its profile in one row, without the password.',
  commits: 'self',
  listen: (context) => tellBusy((request, response) => update(context, request, response)),
};
