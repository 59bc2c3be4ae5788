import { normalizeEmail } from '../../../core/text/email.ts';
import type { Database } from '../../../database/database.ts';
import type { AppModel } from '../../../model/model.ts';
import type { App } from '../../../model/shape.ts';
import type { CommitListener, Context, Worker } from '../../../plan/feature.ts';
import { findApp } from '../sql.ts';
import { findHolder, setOwner } from './owner-sql.ts';

/**
 * State of the owner that a definition file names. `kept`: not verified, but the app was given to the
 * account when that was not required. Anybody can sign up with an address, so `unverified` owns nothing.
 */
type OwnerState = 'verified' | 'kept' | 'unverified' | 'missing';

export interface AppOwner {
  /** Name of the app's definition file. */
  readonly app: string;
  /** E-mail that the file names. */
  readonly owner: string;
  readonly state: OwnerState;
}

interface Owner {
  readonly authId: number;
  readonly state: OwnerState;
  /** Whether the app belongs, or will belong, to this account. */
  readonly isBound: boolean;
}

/**
 * The account that an app's definition names as owner; undefined without an owner, or if no account has the
 * e-mail.
 */
export async function findOwner(
  database: Database,
  { owner, clientId }: Pick<App, 'owner' | 'clientId'>,
): Promise<Owner | undefined> {
  const holder = owner === undefined ? undefined : await findHolder(database, owner);
  if (!holder) return undefined;
  const { authId } = holder;
  if (holder.isVerified) return { authId, state: 'verified', isBound: true };
  const isBound = (await findApp(database, 'client_id', clientId))?.ownerAuthId === authId;
  return { authId, state: isBound ? 'kept' : 'unverified', isBound };
}

/** State of the owner of each app with one in its file. */
export async function listOwners(
  database: Database,
  apps: Iterable<readonly [string, Pick<App, 'owner' | 'clientId'>]>,
): Promise<AppOwner[]> {
  const found: AppOwner[] = [];
  for (const [app, definition] of apps) {
    const { owner } = definition;
    if (owner === undefined) continue;
    found.push({ app, owner, state: (await findOwner(database, definition))?.state ?? 'missing' });
  }
  return found;
}

const listDefinitions = (apps: ReadonlyMap<string, AppModel>): (readonly [string, App])[] =>
  [...apps].map(([name, { definition }]) => [name, definition] as const);

/** Gives an account its apps in the transaction that verifies it. */
export function bindOwner({ plan, services }: Context): CommitListener {
  const apps = [...plan.model.apps.values()].map(({ definition }) => definition);
  const commit: CommitListener['commit'] = async (_event, _request, response) => {
    const account = response.getResults() as { auth_id?: unknown; auth_slug?: unknown; auth_verified?: unknown };
    if (account.auth_verified !== 1) return;
    const email = normalizeEmail(String(account.auth_slug));
    const own = apps.filter(({ owner }) => owner !== undefined && normalizeEmail(owner) === email);
    const clientIds = own.map(({ clientId }) => clientId);
    if (clientIds.length > 0) await setOwner(services.database, clientIds, Number(account.auth_id));
  };
  return { handles: (event) => event === 'auth-verify' || event === 'auth-create', commit };
}

const WORDS: Readonly<Record<Exclude<OwnerState, 'verified'>, string>> = {
  kept: 'an app keeps an owner whose e-mail is not verified',
  unverified: "an app has no owner: the e-mail of its file is an account's that is not verified",
  missing: 'an app has no owner: nobody has the e-mail of its file',
};

/** What has been logged for each app: a reload logs nothing twice. */
const createTold = (): Set<string> => new Set();

/** Logs once at start which definition files name an owner without a verified account. */
export function createOwnerNotice({ plan, services }: Context): Worker {
  const known = services.memory.get(createTold);
  const tell = async (): Promise<void> => {
    for (const { app, owner, state } of await listOwners(services.database, listDefinitions(plan.model.apps))) {
      const key = `${app} ${owner} ${state}`;
      if (state === 'verified' || known.has(key)) continue;
      known.add(key);
      const command = state === 'missing' ? 'treadle user create --email' : 'treadle user verify';
      services.log.warn(WORDS[state], { file: `config/app/${app}.json`, owner, hint: `${command} ${owner}` });
    }
  };
  const telling = tell().catch((error: unknown) => services.log.warn('owners of apps could not be read', { error }));
  return {
    stop: () => telling,
    wake() {},
  };
}
