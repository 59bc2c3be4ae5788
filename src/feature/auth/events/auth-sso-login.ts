import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { TreadleError } from '../../../core/errors.ts';
import { Request } from '../../../core/request/request.ts';
import { type Refusal, Response } from '../../../core/request/response.ts';
import { isEmailAddress } from '../../../core/text/email.ts';
import type { Row } from '../../../database/row-statement.ts';
import { commitResults } from '../../../plan/event/commit.ts';
import { defineEvent, type Rejection, reject } from '../../../plan/event/event.ts';
import { onlyText } from '../../../plan/event/value.ts';
import type { Context, EventExchange } from '../../../plan/feature.ts';
import { toAccount } from '../account/account.ts';
import { accountRow } from '../account/account-stage.ts';
import { markProviderSignup } from '../account/new-account.ts';
import { copyFiles } from '../account/signup-fields.ts';
import { EMPTY, INACTIVE, invalid, SIGNUP_CLOSED, tellBusy, UNCONFIRMED } from '../errors.ts';
import type { Identity } from '../provider/identity.ts';
import { IDENTITY_NAMES, identityKeys, parseIdentity } from '../provider/identity-stage.ts';
import { findLink, insertLink, type LinkRow, touchLink } from '../provider/sql.ts';
import { type AuthRow, findAuth, findProfile } from '../sql.ts';

const NOT_SENT: Refusal = {
  status: 403,
  code: 'EVENT_NOT_BY_REQUEST',
  message: 'Only a sign-in by a provider can name its user.',
};
/** The page then asks for the account's own login. */
const HAS_ACCOUNT: Refusal = { status: 409, code: 'VALUE_TAKEN', message: 'This e-mail has an account already.' };

/** Other keys are columns of a new profile. */
const loginStage = () =>
  z.looseObject({
    ...identityKeys(),
    profile_name: onlyText('For a new account, instead of `name`. Other columns of the profile are taken too.'),
    auth_slug: onlyText('For a new account, if the provider does not vouch for an e-mail.'),
    auth_password: onlyText('For a new account with `auth.verify`, if the provider does not vouch for an e-mail.'),
    confirm: onlyText('The same password again, for forms. Optional.'),
  });

type LoginStage = z.output<ReturnType<typeof loginStage>>;

/** True if the account must confirm its e-mail before it can log in. */
const isWaiting = ({ plan }: Context, auth: AuthRow): boolean =>
  plan.model.settings.auth.verify && auth.auth_verify === 1 && auth.auth_verified !== 1;

/** Signs in to the account that the provider's user is linked to. */
async function open(
  context: Context,
  exchange: EventExchange,
  known: { readonly auth: AuthRow; readonly link: LinkRow; readonly identity: Identity },
): Promise<Rejection | undefined> {
  const { auth, link, identity } = known;
  const { database, clock } = context.services;
  if (auth.auth_active !== 1) return reject(INACTIVE);
  if (isWaiting(context, auth)) return reject(UNCONFIRMED);
  const account = toAccount(context, auth, await findProfile(database, auth.profile_id));
  return database.write(async () => {
    await touchLink(database, link.link_id, identity, toSeconds(clock.now()));
    return commitResults(context, exchange, account);
  });
}

/** A verified address that an account can have. */
const toVouched = ({ email, isVerified }: Identity): string | undefined =>
  isVerified && email !== undefined && isEmailAddress(email) ? email : undefined;

/** The stage of `auth-create`: the provider's e-mail if it vouches for it, else the one of the form. */
function toCreateStage(stage: LoginStage, identity: Identity, vouched: string | undefined): Row {
  const { profile_name: typed, auth_slug: slug, ...rest } = stage;
  const columns: Row = rest;
  for (const key of [...IDENTITY_NAMES, 'auth_type', 'auth_active', 'profile_id']) delete columns[key];
  return {
    ...columns,
    profile_name: typed ?? identity.name ?? '',
    auth_slug: vouched ?? (slug || (identity.email ?? '')),
  };
}

async function create(
  context: Context,
  exchange: EventExchange,
  { stage, identity }: { readonly stage: LoginStage; readonly identity: Identity },
): Promise<Rejection | undefined> {
  const { database, clock } = context.services;
  const { signup, verify } = context.plan.model.settings.auth;
  const vouched = toVouched(identity);
  if (vouched !== undefined && (await findAuth(database, 'auth_slug', vouched))) return reject(HAS_ACCOUNT);
  if (!signup) return reject(SIGNUP_CLOSED);
  // An e-mail that nobody vouches for is only a proposal: the user sees it in the form first.
  if (vouched === undefined && stage.auth_slug === undefined) return invalid({ auth_slug: EMPTY });
  const inner = new Request().setStage(toCreateStage(stage, identity, vouched));
  copyFiles(context.plan.model, exchange.request, inner);
  const answer = new Response(inner);
  markProviderSignup(inner, {
    // An account that waits for its confirmation is opened by link and password, so it needs one.
    hasPassword: verify && vouched === undefined,
    isVerified: vouched !== undefined,
    async link(authId) {
      if (await insertLink(database, identity, { authId, now: toSeconds(clock.now()) })) return;
      const message = 'This sign-in was just used in another window. Sign in again.';
      throw new TreadleError('PROVIDER_LINK_TAKEN', message, { status: 409 });
    },
  });
  await context.emit('auth-create', inner, answer);
  if (answer.isError()) {
    const validation = answer.getValidation() as Record<string, string>;
    const message = answer.getMessage() ?? 'The account could not be created.';
    return reject({ status: answer.getStatus(), code: answer.refusal?.code, message, validation });
  }
  return database.write(() => commitResults(context, exchange, answer.getResults<Row>()));
}

async function signIn(context: Context, exchange: EventExchange, stage: LoginStage): Promise<Rejection | undefined> {
  const { database } = context.services;
  const identity = parseIdentity(stage, exchange.request);
  if (identity === undefined) return reject(NOT_SENT);
  const link = await findLink(database, identity);
  const auth = link && (await findAuth(database, 'auth_id', link.auth_id));
  return link && auth
    ? open(context, exchange, { auth, link, identity })
    : create(context, exchange, { stage, identity });
}

export const authSsoLogin = defineEvent({
  name: 'auth-sso-login',
  description:
    'Signs in by a provider: finds the account that its user is linked to, or creates one. Refuses with 409 if the provider vouches for an e-mail that has an account: the pages then ask for that account’s own login and emit `auth-provider-link`. Takes nothing that came with a request.',
  kind: 'self',
  stage: loginStage,
  results: () => accountRow().partial().describe('As of `auth-login`; for a new account as of `auth-create`.'),
  run: (stage, context, exchange) => tellBusy(exchange.response, () => signIn(context, exchange, stage)),
});
