import { randomBytes } from 'node:crypto';
import type { Application } from '../boot.ts';
import { TreadleError } from '../core/errors.ts';
import { Request } from '../core/request/request.ts';
import { Response } from '../core/request/response.ts';
import type { PasswordCost } from '../core/secret/password.ts';
import { createSessions } from '../http/session/session.ts';
import { createVisitor, type TestVisitor } from './visitor.ts';

type Row = Readonly<Record<string, unknown>>;

/** A person to make. */
export interface TestPersonOptions {
  /** Default: made from the name, at example.org. */
  readonly email?: string;
  /** Slugs of roles. Default none. */
  readonly roles?: readonly string[];
  /** Columns of the profile, besides its name. */
  readonly profile?: Readonly<Record<string, unknown>>;
}

/** A logged-in person. */
export interface TestPerson extends TestVisitor {
  /** `profile_name`. */
  readonly name: string;
  /** `auth_slug`. */
  readonly email: string;
  /** For the login form. */
  readonly password: string;
  /** Id of the account. */
  readonly auth_id: number;
  /** Id of the profile. */
  readonly profile_id: number;
}

/** An app to register. */
export interface TestAppOptions {
  /** Default `Test app`. */
  readonly title?: string;
  /** Slugs of scopes that it may ask for or holds. What needs approval is approved. */
  readonly scopes?: readonly string[];
  /** Default `https://app.example.org/callback`. */
  readonly redirectUris?: readonly string[];
  /** URL that receives its web hooks. */
  readonly webhook?: string;
  /** Names of web hooks that it receives. What needs approval is approved. */
  readonly hooks?: readonly string[];
}

/** An app: its requests carry its client id and secret. */
export interface TestApp extends TestVisitor {
  /** Its `client_id`. */
  readonly clientId: string;
  /** Its `client_secret`. */
  readonly clientSecret: string;
  /**
   * The app with the consent of this person for all its user scopes, and with an access token that lives ten minutes. From then
   * on it also receives the web hooks for this person.
   */
  as(person: TestPerson): Promise<TestVisitor>;
}

/** The response's results. @throws TEST_SETUP_FAILED with all its messages. */
export function getMade(what: string, response: Response): Row {
  if (!response.isError()) return (response.getResults() ?? {}) as Row;
  const fields = Object.entries(response.getValidation() as Row).map(([field, text]) => `${field}: ${String(text)}`);
  const messages = [response.getMessage() ?? 'The event failed.', ...fields].join(' ');
  throw new TreadleError('TEST_SETUP_FAILED', `${what}: ${messages}`);
}

const IDLE_SECONDS = 14 * 86_400;
const PASSWORD = 'a long enough word';

/** Cost of the password hashes of a test: 16 KiB and a tenth of a millisecond. A login checks one as usual, since a hash tells its cost. */
export const CHEAP_COST: PasswordCost = { ln: 4, r: 8, p: 1 };

/** The cookie of a new session, as a login writes it; no password is hashed again and no second factor asked. */
async function openSession(app: Application, me: Row): Promise<string> {
  const sessions = createSessions({ ...app.services, idleSeconds: () => IDLE_SECONDS });
  const request = new Request();
  sessions.attach(request, undefined, app.services.baseUrl().startsWith('https:'));
  request.setSession('me', me);
  return (await sessions.close(request)) ?? '';
}

const toSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '.')
    .replace(/^\.+|\.+$/g, '') || 'person';

/** Makes an account with a profile, and logs it in. */
export async function createPerson(
  app: Application,
  name: string,
  {
    email = `${toSlug(name)}.${randomBytes(3).toString('hex')}@example.org`,
    roles = [],
    profile,
  }: TestPersonOptions = {},
): Promise<TestPerson> {
  const account = { auth_slug: email, auth_password: PASSWORD, auth_active: 1, auth_verified: 1 };
  const stage = { ...profile, ...account, profile_name: name, auth_type: roles.join(',') };
  const request = new Request().setStage(stage);
  const response = new Response(request);
  await app.emit('auth-create', request, response);
  const made = getMade(`The person ${name}`, response);
  const me = getMade(`The person ${name}`, await app.emit('auth-detail', { auth_id: Number(made.auth_id) }));
  const visitor = createVisitor({ url: app.url ?? '', cookie: await openSession(app, me) });
  const [auth_id, profile_id] = [Number(me.auth_id), Number(me.profile_id)];
  return { ...visitor, name, email: String(me.auth_slug), password: PASSWORD, auth_id, profile_id };
}

/** Registers an app in the name of an owner. */
export async function createTestApp(
  app: Application,
  owner: TestPerson,
  options: TestAppOptions = {},
): Promise<TestApp> {
  const { title = 'Test app', scopes = [], redirectUris = ['https://app.example.org/callback'], hooks = [] } = options;
  const stage = { title, scopes, hooks, redirect_uris: redirectUris, webhook: options.webhook, owner: owner.auth_id };
  const made = getMade(`The app ${title}`, await app.emit('app-create', stage));
  const isWaiting = [made.pending, made.pending_hooks].some((list) => Array.isArray(list) && list.length > 0);
  if (isWaiting) getMade(`The app ${title}`, await app.emit('app-approve', { client_id: String(made.client_id) }));
  const [clientId, clientSecret] = [String(made.client_id), String(made.client_secret)];
  const credentials = Buffer.from([clientId, clientSecret].map(encodeURIComponent).join(':')).toString('base64');
  const url = app.url ?? '';
  return {
    ...createVisitor({ url, headers: { authorization: `Basic ${credentials}` } }),
    clientId,
    clientSecret,
    async as({ auth_id, name }) {
      const found = await app.emit('app-trial-token', { client_id: clientId, auth_id, consent: true });
      const { access_token: token } = getMade(`A token of ${title} for ${name}`, found);
      return createVisitor({ url, headers: { authorization: `Bearer ${String(token)}` } });
    },
  };
}
