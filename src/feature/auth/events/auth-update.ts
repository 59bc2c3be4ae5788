import * as z from 'zod';
import { asSystem } from '../../../core/access.ts';
import { toStamp } from '../../../core/clock.ts';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { commitResults } from '../../../plan/event/commit.ts';
import { defineEvent, Rejection, reject } from '../../../plan/event/event.ts';
import { onlyText } from '../../../plan/event/value.ts';
import type { Context, EventExchange } from '../../../plan/feature.ts';
import { toAccount } from '../account/account.ts';
import { accountKeys, accountRow } from '../account/account-stage.ts';
import { answerShownAccount } from '../account/shown-account.ts';
import { checkCurrentPassword } from '../current-password.ts';
import { EMPTY, invalid, NAME_REFUSED, NOBODY, tellBusy } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { findLanguageErrors, languageTag } from '../language.ts';
import { findPasswordErrors, makeHash } from '../password-rule.ts';
import { type AuthRow, findProfile, hasPassword, updateAuth } from '../sql.ts';

const updateStage = () =>
  z.object({
    ...accountKeys(),
    profile_name: onlyText('New name.'),
    auth_language: languageTag(),
    auth_password: onlyText('New password.'),
    confirm: onlyText('The new password again.'),
    auth_current: onlyText('The current password; required with a new one, unless the account has none.'),
  });

type UpdateStage = z.output<ReturnType<typeof updateStage>>;

/** Checks the new and the current password. Gives the columns to change: none without a new password. */
async function hashNew(
  context: Context,
  exchange: EventExchange,
  auth: AuthRow,
  { auth_password: password, auth_current: current = '', confirm }: UpdateStage,
): Promise<Rejection | { readonly auth_password?: string }> {
  if (password === undefined) return {};
  const errors = findPasswordErrors(password, confirm);
  if (current === '' && hasPassword(auth)) errors.auth_current = EMPTY;
  if (Object.keys(errors).length > 0) return invalid(errors);
  const rejection = await checkCurrentPassword(context, auth, current, exchange);
  return rejection ?? { auth_password: await makeHash(context, exchange.request, password) };
}

/** Renames the profile, unless the model's validation refuses the name. */
async function rename(context: Context, auth: AuthRow, name: string): Promise<Rejection | undefined> {
  const inner = new Request().setStage({ schema: 'profile', profile_id: auth.profile_id, profile_name: name });
  const answer = new Response(inner);
  await asSystem(() => context.emit('system-model-update', inner, answer));
  if (!answer.isError()) return undefined;
  const validation = answer.getValidation() as Record<string, string>;
  return reject({
    status: answer.getStatus(),
    code: answer.refusal?.code,
    message: answer.getMessage() ?? NAME_REFUSED,
    validation,
  });
}

async function update(context: Context, exchange: EventExchange, stage: UpdateStage): Promise<Rejection | undefined> {
  const { database, clock, sessions } = context.services;
  const { request, response } = exchange;
  const auth = await findSelectedAuth(database, stage);
  if (!auth) return reject(NOBODY);
  const name = stage.profile_name?.trim();
  if (name === '') return invalid({ profile_name: EMPTY });
  const errors = findLanguageErrors(context, stage.auth_language);
  if (Object.keys(errors).length > 0) return invalid(errors);
  const password = await hashNew(context, exchange, auth, stage);
  if (password instanceof Rejection) return password;
  const rejection = await database.transaction(async () => {
    const refused = name === undefined ? undefined : await rename(context, auth, name);
    if (refused !== undefined) return refused;
    const { auth_language: tag } = stage;
    const changes = { ...password, ...(tag === undefined ? {} : { auth_language: tag }) };
    const row = await updateAuth(database, auth.auth_id, { ...changes, auth_updated: toStamp(clock.now()) });
    const profile = await findProfile(database, auth.profile_id);
    return commitResults(context, exchange, toAccount(context, row ?? auth, profile));
  });
  if (rejection !== undefined) return rejection;
  await answerShownAccount(context, request, response);
  // Ends all sessions that used the old password, except the current one.
  if (password.auth_password !== undefined && !response.isError()) await sessions.endAll(auth.auth_id, request);
}

export const authUpdate = defineEvent({
  name: 'auth-update',
  description: 'Changes the name, the language or the password of an account; a new password ends its other sessions.',
  kind: 'self',
  stage: updateStage,
  results: accountRow,
  run: (stage, context, exchange) => tellBusy(exchange.response, () => update(context, exchange, stage)),
});
