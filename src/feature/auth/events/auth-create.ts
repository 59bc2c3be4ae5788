import { toStamp } from '../../../core/clock.ts';
import { hashPassword } from '../../../core/password.ts';
import { Request } from '../../../core/request.ts';
import { Response } from '../../../core/response.ts';
import type { Row } from '../../../database/database.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { refuse, succeed, toAccount, toId, toSlug, toText } from '../account.ts';
import { EMAIL_INVALID, EMAIL_MOST, EMAIL_TAKEN, EMPTY, invalid } from '../errors.ts';
import { findPasswordFaults } from '../password-rule.ts';
import { findAuth, findProfile, insertAuth } from '../sql.ts';

/** No blanks, no control characters and none that cannot be seen: two addresses that look alike are one. */
const EMAIL = /^[^\s\p{C}@<>"(),:;[\]\\]+@[^\s\p{C}@<>"(),:;[\]\\]+$/u;

interface Wish {
  readonly slug: string;
  readonly password: string;
  readonly confirm: string | undefined;
  readonly type: string;
  readonly isActive: boolean;
  readonly name: string;
  readonly profileId: number | undefined;
}

/** Rolls the transaction back with what the answer shall say. */
class Refused extends Error {
  readonly fields: Readonly<Record<string, string>>;
  constructor(fields: Readonly<Record<string, string>>) {
    super('refused');
    this.fields = fields;
  }
}

function parseWish(context: Context, request: Request): Wish {
  const stage = request.getStage() as Row;
  const byDefault = context.plan.model.settings.auth.verify ? '0' : '1';
  return {
    slug: toSlug(stage.auth_slug),
    password: toText(stage.auth_password),
    confirm: stage.confirm === undefined ? undefined : toText(stage.confirm),
    type: toText(stage.auth_type),
    isActive: String(stage.auth_active ?? byDefault) === '1',
    name: toText(stage.profile_name).trim(),
    profileId: toId(stage.profile_id),
  };
}

async function findFaults(context: Context, wish: Wish): Promise<Record<string, string>> {
  const { database } = context.services;
  const faults = findPasswordFaults(wish.password, wish.confirm);
  if (wish.slug === '') faults.auth_slug = EMPTY;
  else if (wish.slug.length > EMAIL_MOST || !EMAIL.test(wish.slug)) faults.auth_slug = EMAIL_INVALID;
  else if (await findAuth(database, 'auth_slug', wish.slug)) faults.auth_slug = EMAIL_TAKEN;
  if (wish.type !== '' && !context.plan.model.roles.has(wish.type)) faults.auth_type = 'Should be the slug of a role';
  if (wish.profileId !== undefined) {
    if (!(await findProfile(database, wish.profileId))) faults.profile_id = 'Should be an existing profile';
  } else if (wish.name === '') faults.profile_name = EMPTY;
  return faults;
}

/** The profile's columns that the stage has, by the profile schema's own names. */
function toProfileStage(context: Context, request: Request, name: string): Row {
  const stage: Row = { schema: 'profile' };
  for (const { name: column } of context.plan.model.schemas.get('profile')?.columns ?? []) {
    const value = request.getStage(column);
    if (value !== undefined) stage[column] = value;
  }
  return { ...stage, profile_name: name };
}

async function createProfile(context: Context, request: Request, name: string): Promise<number> {
  const inner = new Request().setStage(toProfileStage(context, request, name));
  const answer = new Response(inner);
  await context.emit('system-model-create', inner, answer);
  const profileId = toId(answer.getResults('profile_id'));
  if (answer.isError() || profileId === undefined) {
    const fields = answer.getValidation() as Record<string, string>;
    throw new Refused(
      Object.keys(fields).length > 0 ? fields : { profile_name: answer.getMessage() ?? 'Cannot be saved' },
    );
  }
  return profileId;
}

/** What a REST call's definition may set, but whoever calls it may not: a role, and whose profile it is. */
const RANK = ['auth_type', 'auth_active', 'profile_id'] as const;

function findRankFaults(request: Request): Record<string, string> {
  if (request.get('strict') !== true) return {};
  const sent = RANK.filter((name) => request.hasPost(name) || request.hasGet(name));
  return Object.fromEntries(sent.map((name) => [name, 'Cannot be set by a request']));
}

async function save(context: Context, request: Request, response: Response): Promise<void> {
  const { database, clock } = context.services;
  const wish = parseWish(context, request);
  const faults = { ...(await findFaults(context, wish)), ...findRankFaults(request) };
  if (Object.keys(faults).length > 0) return refuse(response, invalid(faults));
  // Hashed before the transaction: it takes a third of a second, and the writer is one.
  const password = await hashPassword(wish.password, context.services.random);
  try {
    await database.transaction(async () => {
      const profileId = wish.profileId ?? (await createProfile(context, request, wish.name));
      const { slug, type, isActive } = wish;
      const auth = await insertAuth(database, {
        slug,
        password,
        type,
        isActive,
        profileId,
        stamp: toStamp(clock.now()),
      });
      if (!auth) throw new Refused({ auth_slug: EMAIL_TAKEN });
      succeed(response, toAccount(context.plan.model, auth, await findProfile(database, profileId)));
      await context.committing('auth-create', request, response);
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refuse(response, invalid(error.fields));
  }
}

export const authCreate: EventContribution = {
  event: 'auth-create',
  description: 'Creates an account and its profile, in one transaction.',
  stage: {
    auth_slug: 'E-mail address, which nobody else has.',
    auth_password: 'Password of 8 to 256 characters.',
    confirm: 'The same password again; left out where nobody types it.',
    profile_name: 'Name of the profile that is made; other columns of the profile may stand beside it.',
    profile_id: 'An existing profile instead.',
    auth_type: 'Slug of a role. Never taken from a sign-up form.',
    auth_active: '1 or 0. Default 1, or 0 where e-mails are verified.',
  },
  results: 'The account and its profile in one row, without the password.',
  commits: 'self',
  listen: (context) => (request, response) => save(context, request, response),
};
