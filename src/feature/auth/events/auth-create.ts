import * as z from 'zod';
import { asSystem, getAccess } from '../../../core/access.ts';
import { type Clock, toStamp } from '../../../core/clock.ts';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { normalizeEmail } from '../../../core/text/email.ts';
import type { Row } from '../../../database/row-statement.ts';
import { findRoleError, parseRoles } from '../../../model/role/role.ts';
import { isServerSet } from '../../../model/server-set.ts';
import { commitResults } from '../../../plan/event/commit.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { flag, onlyText, optionalLookupId } from '../../../plan/event/value.ts';
import type { Context, EventExchange } from '../../../plan/feature.ts';
import { parseId, toAccount } from '../account/account.ts';
import { accountRow } from '../account/account-stage.ts';
import { findProviderSignup, type ProviderSignup } from '../account/new-account.ts';
import { copyFiles } from '../account/signup-fields.ts';
import { EMAIL_TAKEN, EMPTY, findEmailError, invalid, NO_MAIL, tellBusy } from '../errors.ts';
import { findLanguageErrors, findNewLanguage, languageTag } from '../language.ts';
import { hasMail, type LaterMail, prepareMail } from '../mail/mail.ts';
import { LINK_SECONDS } from '../mail/mail-token.ts';
import { findPasswordErrors, makeHash } from '../password-rule.ts';
import { findAuth, findProfile, insertAuth } from '../sql.ts';

/** Other keys are columns of the new profile. */
const accountStage = () =>
  z.looseObject({
    auth_slug: onlyText('E-mail address; must be unique.'),
    auth_password: onlyText('Password of 8 to 256 characters.'),
    confirm: onlyText('The same password again, for forms. Optional.'),
    profile_name: onlyText('Name of the new profile. Other columns of the profile are taken too.'),
    profile_id: optionalLookupId('Uses this existing profile instead of a new one.'),
    auth_type: onlyText(
      'Slug of a role; several are separated by commas. `admin` is built in. Never taken from a sign-up form.',
    ),
    auth_active: flag('1 or 0. Default 1.', 1),
    auth_verified: flag('1 if the e-mail is verified. Default 0; never taken from a request.'),
    auth_language: languageTag(' Default: of the page on which a visitor signs up.'),
  });

type AccountStage = z.output<ReturnType<typeof accountStage>>;

interface AccountRequest {
  readonly stage: AccountStage;
  readonly slug: string;
  readonly password: string;
  readonly confirm: string | undefined;
  readonly type: string;
  readonly isActive: boolean;
  readonly isVerified: boolean;
  readonly mustVerify: boolean;
  readonly language: string;
  /** Whether the answer must not tell if the e-mail has an account: with `auth.verify`, to visitors and calls. */
  readonly isSecret: boolean;
  readonly name: string;
  readonly profileId: number | undefined;
  /** Of a sign-up by a provider. */
  readonly provider: ProviderSignup | undefined;
}

/** Rolls the transaction back and carries the response's message. */
class RefusalError extends Error {
  readonly fields: Readonly<Record<string, string>>;
  constructor(fields: Readonly<Record<string, string>>) {
    super('refused');
    this.fields = fields;
  }
}

/** Whether a value came with the request: in its body, query or path. */
const isSent = (request: Request, name: string): boolean =>
  request.hasPost(name) || request.hasGet(name) || request.getParameters(name) !== undefined;

function parseAccountRequest(context: Context, request: Request, stage: AccountStage): AccountRequest {
  const provider = findProviderSignup(request);
  const isMarked = stage.auth_verified && !isSent(request, 'auth_verified');
  const isVerified = provider?.isVerified ?? isMarked;
  const mustVerify = context.plan.model.settings.auth.verify && !isVerified;
  return {
    stage,
    slug: normalizeEmail(stage.auth_slug ?? ''),
    password: stage.auth_password ?? '',
    confirm: stage.confirm,
    type: stage.auth_type ?? '',
    isActive: stage.auth_active,
    isVerified,
    mustVerify,
    language: findNewLanguage(context, stage.auth_language),
    isSecret: mustVerify && getAccess().kind !== 'system',
    name: (stage.profile_name ?? '').trim(),
    // A form sends an empty one.
    profileId: stage.profile_id || undefined,
    provider,
  };
}

async function findErrors(
  context: Context,
  request: Request,
  account: AccountRequest,
): Promise<Record<string, string>> {
  const { database } = context.services;
  const hasPassword = account.provider?.hasPassword ?? true;
  const errors = hasPassword ? findPasswordErrors(account.password, account.confirm) : {};
  const fault = findEmailError(account.slug);
  if (account.slug === '') errors.auth_slug = EMPTY;
  else if (fault !== undefined) errors.auth_slug = fault;
  else if (!account.isSecret && (await findAuth(database, 'auth_slug', account.slug))) errors.auth_slug = EMAIL_TAKEN;
  const { model } = context.plan;
  const roleError = findRoleError(model, parseRoles(account.type));
  if (roleError !== undefined) errors.auth_type = roleError;
  if (account.profileId !== undefined) {
    if (!(await findProfile(database, account.profileId))) errors.profile_id = 'Should be an existing profile';
  } else if (account.name === '') errors.profile_name = EMPTY;
  return { ...errors, ...findRankErrors(request), ...findLanguageErrors(context, account.stage.auth_language) };
}

/** The profile's columns in the stage, by the profile schema's own names. */
function readProfileStage(context: Context, request: Request, { stage, name }: AccountRequest): Row {
  const values: Row = { schema: 'profile' };
  for (const column of context.plan.model.schemas.get('profile')?.columns ?? []) {
    const value = stage[column.name];
    const isClosed = isServerSet(column) && request.isBrought(column.name);
    if (value !== undefined && !isClosed) values[column.name] = value;
  }
  return { ...values, profile_name: name };
}

async function createProfile(context: Context, request: Request, account: AccountRequest): Promise<number> {
  const inner = new Request().setStage(readProfileStage(context, request, account));
  copyFiles(context.plan.model, request, inner);
  const answer = new Response(inner);
  // A sign-up creates its own profile, whatever the access rules for profiles are.
  await asSystem(() => context.emit('system-model-create', inner, answer));
  const profileId = parseId(answer.getResults('profile_id'));
  if (answer.isError() || profileId === undefined) {
    const fields = answer.getValidation() as Record<string, string>;
    throw new RefusalError(
      Object.keys(fields).length > 0 ? fields : { profile_name: answer.getMessage() ?? 'Cannot be saved' },
    );
  }
  return profileId;
}

/** Columns that the definition of a REST call may set but its client may not: role, state and profile. */
const RANK = ['auth_type', 'auth_active', 'auth_verified', 'profile_id'] as const;

function findRankErrors(request: Request): Record<string, string> {
  if (request.callFacts === undefined) return {};
  const sent = RANK.filter((name) => request.hasPost(name) || request.hasGet(name));
  return Object.fromEntries(sent.map((name) => [name, 'Cannot be set by a request']));
}

/** The e-mail has an account, found by the insert itself. */
class EmailTakenError extends Error {}

/** Writes profile and account; the mail that verifies the address commits with them. */
async function write(
  context: Context,
  exchange: EventExchange,
  account: AccountRequest,
  password: string,
): Promise<void> {
  const { database, clock } = context.services;
  await database.transaction(async () => {
    const profileId = account.profileId ?? (await createProfile(context, exchange.request, account));
    const auth = await insertAuth(database, { ...account, password, profileId, stamp: toStamp(clock.now()) });
    if (!auth) throw new EmailTakenError();
    await account.provider?.link(auth.auth_id);
    await commitResults(context, exchange, toAccount(context, auth, await findProfile(database, profileId)));
    if (account.mustVerify) await prepareMail(context, toVerifyMail('auth-verify-mail', account.slug));
  });
}

const toVerifyMail = (event: string, slug: string): LaterMail => ({
  event,
  stage: { auth_slug: slug },
  seconds: LINK_SECONDS.verify,
});

/**
 * Milliseconds that the database part of a sign-up takes with `auth.verify`. A commit and a rollback differ by less, so the
 * answer takes the same time for an e-mail that has an account.
 */
const WRITE_MS = 150;

/** Runs the work and resolves after a fixed time at the earliest. */
async function takeAtLeast<T>(clock: Clock, milliseconds: number, work: () => Promise<T>): Promise<T> {
  const pause = new Promise<void>((resolve) => void clock.after(milliseconds, resolve));
  try {
    return await work();
  } finally {
    await pause;
  }
}

async function save(context: Context, exchange: EventExchange, stage: AccountStage) {
  const { request } = exchange;
  const account = parseAccountRequest(context, request, stage);
  const errors = await findErrors(context, request, account);
  if (Object.keys(errors).length > 0) return invalid(errors);
  if (account.mustVerify && !hasMail(context)) return reject(NO_MAIL);
  // Hashed before the transaction: it takes a third of a second and would block the only writer.
  const hasPassword = account.provider?.hasPassword ?? true;
  const password = hasPassword ? await makeHash(context, request, account.password) : '';
  const attempt = async () => {
    try {
      await write(context, exchange, account, password);
    } catch (error) {
      if (error instanceof RefusalError) return invalid(error.fields);
      if (!(error instanceof EmailTakenError)) throw error;
      if (!account.isSecret) return invalid({ auth_slug: EMAIL_TAKEN });
      await prepareMail(context, toVerifyMail('auth-taken-mail', account.slug));
    }
    return account.isSecret ? { auth_slug: account.slug, auth_verified: 0 } : undefined;
  };
  return account.isSecret ? takeAtLeast(context.services.clock, WRITE_MS, attempt) : attempt();
}

export const authCreate = defineEvent({
  name: 'auth-create',
  description:
    'Creates an account and its profile, in one transaction. With `auth.verify` it mails a link, and the account can log in once it is verified.',
  kind: 'self',
  stage: accountStage,
  results: () =>
    accountRow()
      .partial()
      .describe(
        'The account and its profile in one row, without the password. With `auth.verify`, to visitors and calls: only `auth_slug`, the same for an e-mail that has an account.',
      ),
  run: (stage, context, exchange) => tellBusy(exchange.response, () => save(context, exchange, stage)),
});
