import { hasSecondFactor } from '../../access/person.ts';
import { systemClock, toSeconds } from '../../core/clock.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import type { Model } from '../../model/model.ts';
import { type Application, getUser } from '../application.ts';
import { readList } from '../change/registered.ts';
import { createUsageError } from '../failure.ts';
import type { CallFacts } from './call.ts';

/** Whether a request of this app, for this user, has access; each reason is a sentence. */
export interface Verdict {
  /** Null if it depends on a user or app that was not given. */
  readonly passes: boolean | null;
  readonly reasons: readonly string[];
}

interface AppFacts {
  readonly id: number;
  readonly title: string;
  readonly isActive: boolean;
  readonly isPublic: boolean;
  /** Its scopes, and those that wait for approval. */
  readonly held: readonly string[];
  readonly pending: readonly string[];
}

interface UserFacts {
  readonly id: number;
  readonly email: string;
  readonly isActive: boolean;
  readonly profileId: number | undefined;
  /** Roles of the account. */
  readonly type: unknown;
  readonly hasSecondFactor: boolean;
}

type Row = Readonly<Record<string, unknown>>;

/** @throws CLI_USAGE if neither a file nor a row defines the app. */
async function findApp({ services, plan }: Application, word: string): Promise<AppFacts> {
  const clientId = plan.model.apps.get(word)?.definition.clientId ?? word;
  const { kysely } = services.database;
  const row: Row | undefined = plan.tables.some(({ name }) => name === 'treadle_app')
    ? await kysely.selectFrom('treadle_app').selectAll().where('client_id', '=', clientId).executeTakeFirst()
    : undefined;
  if (row === undefined) {
    const near = toDidYouMean(word, plan.model.apps.keys());
    const hint = `${near} Use its file name or its client id. List them: treadle app list`;
    throw createUsageError(`There is no app "${word}".`, hint.trimStart());
  }
  const listed = readList(row.scopes).filter((slug) => plan.model.scopes.has(slug));
  const approved = readList(row.approved);
  const needs = (slug: string): boolean =>
    plan.model.scopes.get(slug)?.definition.approval === true && row.name === null && !approved.includes(slug);
  return {
    id: Number(row.app_id),
    title: String(row.title),
    isActive: Number(row.active) === 1,
    isPublic: row.secret_hash === null,
    held: listed.filter((slug) => !needs(slug)),
    pending: listed.filter(needs),
  };
}

/** @throws CLI_USAGE if no account has this e-mail. */
export async function readUser(app: Application, email: string): Promise<UserFacts> {
  const row = await getUser(app, email);
  return {
    id: Number(row.auth_id),
    email,
    isActive: Number(row.auth_active ?? 1) === 1,
    profileId: row.profile_id === null || row.profile_id === undefined ? undefined : Number(row.profile_id),
    type: row.auth_type,
    hasSecondFactor: hasSecondFactor(row),
  };
}

/** Scopes of valid tokens: of an access token, or of a refresh token. */
async function listGranted({ services }: Application, appId: number, authId: number): Promise<string[]> {
  const rows: readonly Row[] = await services.database.kysely
    .selectFrom('treadle_token')
    .select('scopes')
    .where('app_id', '=', appId)
    .where('auth_id', '=', authId)
    .where('revoked_at', 'is', null)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', toSeconds(systemClock.now()))
    .execute();
  return [...new Set(rows.flatMap(({ scopes }) => readList(scopes)))];
}

export interface CallerOptions {
  readonly app: string | undefined;
  /** Of the user. */
  readonly email: string | undefined;
}

/** Decides a call for an app, a user, or both. @throws CLI_USAGE if one of them does not exist. */
export async function judge(running: Application, call: CallFacts, { app, email }: CallerOptions): Promise<Verdict> {
  const [client, user] = [
    app === undefined ? undefined : await findApp(running, app),
    email === undefined ? undefined : await readUser(running, email),
  ];
  if (call.access === 'public') return { passes: true, reasons: ['A public call needs no credential.'] };
  const errors = [
    ...(client ? judgeApp(client, call, running.plan.model) : []),
    ...(user ? judgeUser(user, call) : []),
  ];
  if (errors.length > 0) return { passes: false, reasons: errors };
  if (call.access === 'app') return judgeAppCall(client, call);
  return judgeUserCall(running, call, { client, user });
}

const listSlugs = (call: CallFacts): string => call.scopes.map(({ slug }) => slug).join(' or ');

function judgeApp(app: AppFacts, call: CallFacts, { scopes }: Model): string[] {
  const errors: string[] = [];
  if (!app.isActive) errors.push(`401: the app "${app.title}" is suspended.`);
  if (call.access === 'app' && call.isWrite && app.isPublic) {
    errors.push(`401: a write needs a client secret, and "${app.title}" has none.`);
  }
  const wanted = call.scopes.map(({ slug }) => slug);
  if (wanted.length === 0 || wanted.some((slug) => app.held.includes(slug))) return errors;
  const waiting = wanted.find((slug) => app.pending.includes(slug));
  const why =
    waiting === undefined
      ? `it lists ${app.held.length === 0 ? 'none' : app.held.filter((slug) => scopes.has(slug)).join(', ')}.`
      : `"${waiting}" waits for approval: treadle app approve <client> --scope ${waiting}.`;
  return [...errors, `403: the app "${app.title}" does not hold ${listSlugs(call)}: ${why}`];
}

function judgeUser(user: UserFacts, call: CallFacts): string[] {
  if (!user.isActive) return [`401: ${user.email} is disabled, with all tokens.`];
  if (call.access === 'user' && user.profileId === undefined)
    return [`404: ${user.email} has no profile and owns no rows.`];
  return [];
}

function judgeAppCall(app: AppFacts | undefined, call: CallFacts): Verdict {
  if (!app) return { passes: null, reasons: ['An app makes this call, not a user: name one with --app.'] };
  const secret = call.isWrite ? ' with its client secret' : '';
  const scope =
    call.scopes.length === 0 ? 'No scope lists the call, so every app may call it.' : `It holds ${listSlugs(call)}.`;
  return { passes: true, reasons: [`"${app.title}" may call it${secret}. ${scope}`] };
}

async function judgeUserCall(
  running: Application,
  call: CallFacts,
  { client, user }: { readonly client: AppFacts | undefined; readonly user: UserFacts | undefined },
): Promise<Verdict> {
  if (call.scopes.length === 0)
    return { passes: false, reasons: ['403: no scope lists the call, so no token can call it.'] };
  if (!client)
    return { passes: null, reasons: ['A token belongs to an app and a user: name the app too, with --app.'] };
  if (!user) {
    return {
      passes: null,
      reasons: [
        `"${client.title}" may request ${listSlugs(call)}. Name a user with --as to see whether they granted it.`,
      ],
    };
  }
  const granted = await listGranted(running, client.id, user.id);
  const opening = call.scopes
    .map(({ slug }) => slug)
    .filter((slug) => granted.includes(slug) && client.held.includes(slug));
  if (opening.length > 0) {
    return { passes: true, reasons: [`${user.email} granted ${opening.join(', ')} to "${client.title}".`] };
  }
  const given = granted.length === 0 ? 'no live token' : `tokens of ${granted.join(', ')} only`;
  return {
    passes: false,
    reasons: [
      `403: "${client.title}" has ${given} of ${user.email}; it needs ${listSlugs(call)}: request it in the consent dialog.`,
    ],
  };
}
