// One way to start a whole project for a test. Suites of one feature without HTTP have a smaller start in their folder.
import { sql } from 'kysely';
import { type Application, type AppOptions, createApp } from '../src/boot.ts';
import type { Template } from '../src/cli/create/template.ts';
import { systemClock } from '../src/core/clock.ts';
import { createLog } from '../src/core/log/log.ts';
import type { Response } from '../src/core/request/response.ts';
import { digest } from '../src/core/secret/secret.ts';
import type { Row } from '../src/database/row-statement.ts';
import type { OutgoingMail } from '../src/outbound/mail.ts';
import { CHEAP_COST } from '../src/testing/people.ts';
import { type Answer, bearer, Client, PASSWORD, type Sent } from './client.ts';
import { type Files, Project, type Said } from './project.ts';

export interface BootOptions extends Partial<Omit<AppOptions, 'root'>> {
  /** What `treadle create` copies, or `none`: settings only. Default `blog`. */
  readonly template?: Template | 'none';
  /** Files that are written over the template's. */
  readonly files?: Files;
  /** Keys of `config/settings.json`. */
  readonly settings?: object;
  /** Changes the project before it starts, after `files` and `settings`. */
  readonly change?: (project: Project) => unknown;
}

export interface TokenOptions {
  /** Default: the project's only app. */
  readonly client?: string;
  /** The profile of the user that it acts for; null for the app itself. */
  readonly profile: number | null;
  readonly scopes: readonly string[];
  readonly isExpired?: boolean;
}

/** A served project. */
export interface Site {
  readonly app: Application;
  readonly url: string;
  readonly root: string;
  readonly project: Project;
  /** Lines of the log so far, as JSON; empty if the test gave a log of its own. */
  readonly log: readonly string[];
  /** Requests of a visitor without cookies. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
  /** A visitor with cookies. */
  browser(): Client;
  /** A logged-in person, with an account of this name and these roles, which is made at the first call. */
  as(name: string, roles?: readonly string[]): Promise<Client>;
  /** An app with a new access token. */
  asApp(options: TokenOptions): Promise<Client>;
  /** A new access token, stored without the dialog. */
  token(options: TokenOptions): Promise<string>;
  /** Runs a command in the project's folder. */
  cli(...argv: string[]): Promise<Said>;
  /** Emits as the system; throws the response if it is an error. */
  emit(event: string, stage?: Row): Promise<Response>;
  rows(table: string): Promise<Row[]>;
  /** Mails that a development server kept, oldest first. Waits until none is to be sent. */
  mails(): Promise<OutgoingMail[]>;
  close(): Promise<void>;
}

/** Waits for a condition; fails after ten seconds, which only a fault takes. */
export async function until<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let left = 400; left > 0; left -= 1) {
    const found = await find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('It did not happen.');
}

/** Inserts a token as the token endpoint does. */
async function addToken({ services }: Application, token: string, options: TokenOptions): Promise<void> {
  const { client, profile, scopes, isExpired = false } = options;
  const { kysely } = services.database;
  const apps = kysely.selectFrom('treadle_app').select('app_id').orderBy('app_id');
  const app = await (client === undefined ? apps : apps.where('client_id', '=', client)).executeTakeFirstOrThrow();
  const accounts = kysely.selectFrom('treadle_auth').select('auth_id').where('profile_id', '=', profile);
  const account = profile === null ? undefined : await accounts.executeTakeFirstOrThrow();
  const now = Math.floor(services.clock.now() / 1000);
  const row = {
    token_hash: digest(token),
    kind: 'access',
    app_id: app.app_id,
    auth_id: account?.auth_id ?? null,
    profile_id: profile,
    scopes: JSON.stringify(scopes),
    created_at: now - 10,
    expires_at: isExpired ? now - 1 : now + 3600,
  };
  await kysely.insertInto('treadle_token').values(row).execute();
}

async function listMails({ services }: Application): Promise<OutgoingMail[]> {
  const rows = await until(async () => {
    const query = services.database.kysely.selectFrom('treadle_mail').selectAll().orderBy('mail_id');
    const found = await query.execute();
    return found.every(({ state }) => state !== 'waiting') ? found : undefined;
  });
  return rows
    .filter(({ state }) => state === 'kept')
    .map((row) => (JSON.parse(services.secret.open(String(row.sealed))) as { mail: OutgoingMail }).mail);
}

class RunningSite implements Site {
  readonly app: Application;
  readonly url: string;
  readonly project: Project;
  readonly log: readonly string[];
  readonly #people = new Map<string, Promise<void>>();
  #tokens = 0;
  constructor(app: Application, url: string, project: Project, log: readonly string[]) {
    this.app = app;
    this.url = url;
    this.project = project;
    this.log = log;
  }

  get root(): string {
    return this.project.root;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send('GET', path, { headers });
  }

  send(method: string, path: string, sent?: Sent): Promise<Answer> {
    return this.browser().send(method, path, sent);
  }

  browser(): Client {
    return new Client(this.url);
  }

  async as(name: string, roles: readonly string[] = []): Promise<Client> {
    const auth_slug = `${name.toLowerCase().replace(/\W/g, '')}@example.org`;
    const account = { auth_slug, auth_password: PASSWORD, profile_name: name, auth_active: 1, auth_verified: 1 };
    const made =
      this.#people.get(name) ??
      this.emit('auth-create', { ...account, auth_type: roles.join(',') }).then(() => undefined);
    this.#people.set(name, made);
    await made;
    const client = this.browser();
    const answer = await client.post('/auth/login', { auth_slug, auth_password: PASSWORD });
    if (answer.status !== 303) throw new Error(`log in as ${name}: ${answer.status} ${answer.text}`);
    return client;
  }

  async asApp(options: TokenOptions): Promise<Client> {
    return new Client(this.url, bearer(await this.token(options)));
  }

  async token(options: TokenOptions): Promise<string> {
    this.#tokens += 1;
    const token = `tk_at_${this.#tokens}`;
    await addToken(this.app, token, options);
    return token;
  }

  cli(...argv: string[]): Promise<Said> {
    return this.project.cli(...argv);
  }

  async emit(event: string, stage: Row = {}): Promise<Response> {
    const response = await this.app.emit(event, stage);
    if (response.isError()) throw new Error(`${event}: ${String(response)}`);
    return response;
  }

  rows(table: string): Promise<Row[]> {
    return this.app.services.database.kysely.selectFrom(table).selectAll().orderBy(sql`1`).execute() as Promise<Row[]>;
  }

  mails(): Promise<OutgoingMail[]> {
    return listMails(this.app);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.project.remove();
  }
}

/** Makes a project in a temporary folder, starts it on the run's database, and serves it at a free port. */
export async function boot({ template, files = {}, settings, change, ...options }: BootOptions = {}): Promise<Site> {
  const project = new Project(template);
  try {
    for (const [file, value] of Object.entries(files)) project.write(file, value);
    if (settings !== undefined) project.set(settings);
    await change?.(project);
    const lines: string[] = [];
    const log = createLog({ clock: options.clock ?? systemClock, write: (line) => lines.push(line) });
    const app = await createApp({
      mode: 'test',
      env: {},
      log,
      passwordCost: CHEAP_COST,
      ...options,
      root: project.root,
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    return new RunningSite(app, url, project, lines);
  } catch (error) {
    await project.remove();
    throw error;
  }
}

/** Adds an article to a blog and returns its id. */
export async function addArticle(site: Site, title = 'A title', detail = '<p>Text</p>'): Promise<number> {
  const article = { article_title: title, article_detail: detail, article_published: '2026-01-02 03:04:05' };
  const made = await site.emit('system-model-create', { schema: 'article', ...article });
  return Number(made.getResults('article_id'));
}
