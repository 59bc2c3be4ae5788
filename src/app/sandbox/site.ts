import type { Random } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import type { Log } from '../../core/log/log.ts';
import type { Response } from '../../core/request/response.ts';
import type { Handle } from '../../http/handle.ts';
import type { SandboxApp, SandboxCredentials, SandboxPerson } from '../../plan/sandbox.ts';

/** The application of a sandbox: as much of it as its host uses. */
export interface SandboxSite {
  /** Answers one request, whose address is within the sandbox. */
  readonly handle: Handle;
  emit(event: string, stage: Readonly<Record<string, unknown>>): Promise<Response>;
  close(): Promise<void>;
}

/** What the application of a sandbox is started with. */
export interface SandboxStart {
  /** Folder of its data, absolute. */
  readonly folder: string;
  /** The variables that Treadle reads. */
  readonly env: Readonly<Record<string, string>>;
  readonly log: Log;
  /** Called with a fault after which it must not go on. */
  readonly fail: (error: unknown) => void;
}

/** A log whose lines name the sandbox. */
export function createSandboxLog(log: Log, sandbox: string): Log {
  const name = { sandbox };
  return {
    debug: (event, fields) => log.debug(event, { ...fields, ...name }),
    info: (event, fields) => log.info(event, { ...fields, ...name }),
    warn: (event, fields) => log.warn(event, { ...fields, ...name }),
    error: (event, fields) => log.error(event, { ...fields, ...name }),
  };
}

const PEOPLE = ['Ann', 'Ben'];

/** Accounts that stand for users of the app; none where the project asks more of a profile than a name. */
async function createPeople(site: SandboxSite, random: Random): Promise<SandboxPerson[]> {
  const people: SandboxPerson[] = [];
  for (const name of PEOPLE) {
    const person = { email: `${name.toLowerCase()}@sandbox.example`, password: random(12).toString('base64url') };
    const made = await site.emit('auth-create', {
      auth_slug: person.email,
      auth_password: person.password,
      profile_name: name,
      auth_active: 1,
      auth_verified: 1,
    });
    if (made.isError()) return people;
    people.push(person);
  }
  return people;
}

/**
 * Fills a new sandbox: two accounts, and the app as it is registered, with what the operator approved.
 *
 * @throws SANDBOX_APP_REFUSED if the app does not fit the rules of today.
 */
export async function fillSandbox(site: SandboxSite, app: SandboxApp, random: Random): Promise<SandboxCredentials> {
  const people = await createPeople(site, random);
  const made = await site.emit('app-create', {
    title: app.title,
    owner: 1,
    website: app.website,
    redirect_uris: [...app.redirectUris],
    scopes: [...app.scopes],
    ...(app.webhook === undefined ? {} : { webhook: app.webhook, hooks: [...app.hooks] }),
    ...(app.isPublic ? { public: '1' } : {}),
  });
  if (made.isError()) {
    const message = `The app was not registered in its sandbox: ${made.getMessage()}`;
    throw new TreadleError('SANDBOX_APP_REFUSED', message, { status: 409 });
  }
  if (app.approved.length > 0 || app.approvedHooks.length > 0) {
    const approval = { scopes: [...app.approved], hooks: [...app.approvedHooks] };
    await site.emit('app-approve', { app_id: made.getResults('app_id'), ...approval });
  }
  const secret = made.getResults('client_secret');
  return {
    client_id: String(made.getResults('client_id')),
    client_secret: typeof secret === 'string' ? secret : undefined,
    webhook_secrets: made.getResults('webhook_secrets'),
    people,
  };
}
