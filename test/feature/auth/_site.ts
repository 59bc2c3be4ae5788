import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import * as z from 'zod';
import { asSystem, createAccess, runAs } from '../../../src/core/access.ts';
import { type Clock, systemRandom, toStamp } from '../../../src/core/clock.ts';
import { packageRoot } from '../../../src/core/file/package-root.ts';
import { silentLog } from '../../../src/core/log/log.ts';
import { Memory } from '../../../src/core/memory.ts';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import { createPasswords } from '../../../src/core/secret/password.ts';
import { createRootSecret } from '../../../src/core/secret/secret.ts';
import { parsePairs } from '../../../src/core/text/pairs.ts';
import type { SystemTable } from '../../../src/database/database.ts';
import { SlowReads } from '../../../src/database/load/slow-reads.ts';
import { migrate } from '../../../src/database/migration.ts';
import { createSystemTable } from '../../../src/database/table.ts';
import { auth } from '../../../src/feature/auth/index.ts';
import { oauth } from '../../../src/feature/oauth/index.ts';
import { parseCookies } from '../../../src/http/session/cookie.ts';
import { createLimiter } from '../../../src/limit/limiter.ts';
import type { Model, SchemaModel } from '../../../src/model/model.ts';
import { Settings } from '../../../src/model/shape.ts';
import { createViews } from '../../../src/pages/view.ts';
import { activatePlan } from '../../../src/plan/activate.ts';
import { compilePlan } from '../../../src/plan/compile.ts';
import { createDraft } from '../../../src/plan/draft.ts';
import type { Context, EventRecord, Feature, Services, Worker } from '../../../src/plan/feature.ts';
import { createFileStore } from '../../../src/project/file-store.ts';
import { CHEAP_COST } from '../../../src/testing/people.ts';
import { openPlaced } from '../../database/_where.ts';

type Row = Record<string, unknown>;

export interface TestClock extends Clock {
  advance(seconds: number): Promise<void>;
}

function createClock(): TestClock {
  const state = { now: Date.UTC(2026, 0, 1), timers: [] as { at: number; run: () => void }[] };
  return {
    now: () => state.now,
    after(milliseconds, run) {
      const timer = { at: state.now + milliseconds, run };
      state.timers.push(timer);
      return () => {
        state.timers = state.timers.filter((other) => other !== timer);
      };
    },
    async advance(seconds) {
      state.now += seconds * 1000;
      const due = state.timers.filter(({ at }) => at <= state.now);
      state.timers = state.timers.filter((timer) => !due.includes(timer));
      for (const { run } of due) run();
      await new Promise(setImmediate);
    },
  };
}

const toEvent = (event: string, listen: EventRecord['listen']): EventRecord => ({
  name: event,
  description: '',
  stage: () => z.object({}),
  results: () => z.unknown(),
  kind: 'self',
  listen,
});

const createProfile: EventRecord['listen'] =
  ({ services: { database, clock } }) =>
  async (request, response) => {
    const name = request.getStage('profile_name');
    if (name === 'Refused') {
      response.addValidation('profile_name', 'Not this name').setStatus(422).setError(true, 'Invalid Parameters');
      return;
    }
    const query = database.kysely
      .insertInto('profile')
      .values({ profile_name: name, profile_created: toStamp(clock.now()) })
      .returningAll();
    response.setError(false).setResults(await database.write(() => query.executeTakeFirstOrThrow()));
  };

const updateProfile: EventRecord['listen'] =
  ({ services: { database } }) =>
  async (request, response) => {
    await database.kysely
      .updateTable('profile')
      .set({ profile_name: request.getStage('profile_name') })
      .where('profile_id', '=', request.getStage('profile_id'))
      .execute();
    response.setError(false);
  };

const renderPage: EventRecord['listen'] = () => (_request, response) => {
  response.setContent(`<!doctype html><title>${response.getPage('title')}</title>${response.getContent()}`);
};

/** The parts of the schema and www features that these two need: profiles, and pages that show the content. */
const others: Feature = {
  name: 'others',
  contribute: () => ({
    events: [
      toEvent('system-model-create', createProfile),
      toEvent('system-model-update', updateProfile),
      toEvent('www-render-page', renderPage),
      toEvent('www-render-blank', renderPage),
    ],
  }),
};

const profile = {
  name: 'profile',
  columns: [
    { name: 'profile_name', field: { type: 'text' } },
    { name: 'profile_created', field: { type: 'created' } },
  ],
  active: undefined,
} as unknown as SchemaModel;

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | readonly string[]>;
  readonly location: string;
  readonly text: string;
  readonly response: Response;
}

export interface Site {
  readonly context: Context;
  readonly services: Services;
  readonly clock: TestClock;
  /** Calls to the sessions, in order. */
  readonly journal: string[];
  readonly workers: readonly Worker[];
  get(target: string, session?: Row): Promise<Answer>;
  post(target: string, body: string, options?: PostOptions): Promise<Answer>;
  /** Any method, without a body. */
  send(method: string, target: string, options?: PostOptions): Promise<Answer>;
  emit(event: string, stage: Row): Promise<Response>;
  addUser(name: string, isActive?: boolean): Promise<Row>;
  rows(table: string): Promise<Row[]>;
  /** Runs the seeds again, as a reload does. */
  seed(): Promise<void>;
  close(): Promise<void>;
}

export interface PostOptions {
  readonly session?: Row;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

export interface SiteOptions {
  readonly settings?: Row;
  readonly model?: Partial<Model>;
  readonly isDevelopment?: boolean;
  /** In addition to accounts and apps. */
  readonly features?: readonly Feature[];
  /** Default: cheap ones. */
  readonly passwords?: Services['passwords'];
  /** Default: one that sends nothing. */
  readonly send?: Services['outbound']['send'];
}

function createServices(database: Services['database'], clock: Clock, journal: string[]): Services {
  return {
    memory: new Memory(),
    database,
    slowReads: new SlowReads(),
    clock,
    random: systemRandom,
    passwords: createPasswords(systemRandom, CHEAP_COST),
    log: silentLog,
    secret: createRootSecret('test', systemRandom),
    outbound: {
      send: () => Promise.reject(new Error('not here')),
      judge: (url) => (url.includes('10.0.0.1') ? 'it is private' : undefined),
    },
    providerSecret: () => undefined,
    mailer: { way: 'none', send: () => Promise.reject(new Error('not here')) },
    operation: {} as Services['operation'],
    sessions: {
      renew: () => journal.push('renew'),
      end(request) {
        journal.push('end');
        request.removeSession();
      },
      async endAll(authId, except) {
        journal.push(`endAll ${authId}${except ? ' but this' : ''}`);
      },
      list: async () => [],
      endOne: async () => false,
      formToken: () => 'form-token',
    },
    views: createViews({ folder: join(packageRoot, 'templates'), clock }),
    files: createFileStore({ folder: join(packageRoot, 'no-such-folder'), random: systemRandom }),
    limiter: createLimiter({ clock }),
    metrics: { read: () => Promise.reject(new Error('not here')), isToken: () => false },
    root: '/',
    fail() {},
    reload: () => Promise.resolve([]),
    compile: () => Promise.resolve({ plan: undefined, problems: [] }),
    describeApi: () => ({}),
    baseUrl: () => 'http://127.0.0.1:3000',
  };
}

function createModel(options: SiteOptions): Model {
  const none = new Map();
  return {
    settings: Settings.parse({ home: '/articles', api: true, ...options.settings }),
    schemas: new Map([['profile', profile]]),
    fieldsets: none,
    calls: none,
    scopes: none,
    hooks: none,
    apps: none,
    roles: none,
    ...options.model,
  };
}

async function createTables(database: Services['database'], tables: readonly SystemTable[]): Promise<void> {
  const profile: SystemTable = {
    name: 'profile',
    columns: [
      { name: 'profile_id', type: 'id' },
      { name: 'profile_name', type: 'text' },
      { name: 'profile_created', type: 'text' },
    ],
  };
  await migrate(
    database,
    [profile, ...tables].map((own) => createSystemTable(own, database.dialect)),
  );
}

function toServer(body: string, options: PostOptions): Row {
  const server: Row = { REMOTE_ADDR: options.address ?? '192.0.2.1' };
  if (body !== '') server.CONTENT_TYPE = 'application/x-www-form-urlencoded';
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    server[name === 'content-type' ? 'CONTENT_TYPE' : `HTTP_${name.toUpperCase().replaceAll('-', '_')}`] = value;
  }
  return server;
}

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly body: string;
}

async function send(context: Context, { method, target, body }: Sent, options: PostOptions): Promise<Answer> {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark + 1);
  const server = toServer(body, options);
  const isJson = String(server.CONTENT_TYPE).includes('json');
  const request = new Request({
    method,
    path,
    query,
    get: () => parsePairs(query),
    post: () => (isJson ? JSON.parse(body) : parsePairs(body)),
    server: () => server,
    session: () => options.session ?? {},
    cookie: () => parseCookies(options.headers?.cookie ?? ''),
    body: () => body,
  });
  const response = new Response(request);
  await runAs(createAccess({ kind: 'page' }), () => context.emit(`${method} ${path}`, request, response));
  return {
    status: response.getStatus(),
    headers: response.getHeaders(),
    location: String(response.getHeaders('location') ?? ''),
    text: String(response.getContent() ?? ''),
    response,
  };
}

async function addUser({ database, clock }: Services, name: string, isActive: boolean): Promise<Row> {
  const { kysely } = database;
  const stamp = toStamp(clock.now());
  const made = await kysely
    .insertInto('profile')
    .values({ profile_name: name, profile_created: stamp })
    .returningAll()
    .executeTakeFirstOrThrow();
  const slug = `${name.toLowerCase()}@example.org`;
  const account = await kysely
    .insertInto('treadle_auth')
    .values({
      auth_slug: slug,
      auth_password: 'none',
      auth_active: isActive ? 1 : 0,
      auth_created: stamp,
      auth_updated: stamp,
      profile_id: made.profile_id,
    })
    .returning('auth_id')
    .executeTakeFirstOrThrow();
  return { ...made, auth_id: account.auth_id, auth_slug: slug };
}

/** The two features over a real database in a temporary folder, with sessions that only record calls. */
export async function createSite(options: SiteOptions = {}): Promise<Site> {
  const root = mkdtempSync(join(tmpdir(), 'treadle-auth-'));
  const clock = createClock();
  const journal: string[] = [];
  const database = await openPlaced({ file: 'app.db', root, clock });
  const plain = createServices(database, clock, journal);
  const outbound = { ...plain.outbound, ...(options.send ? { send: options.send } : {}) };
  const services = { ...plain, outbound, passwords: options.passwords ?? plain.passwords };
  const { isDevelopment = false } = options;
  const features = [auth, oauth, ...(options.features ?? []), others];
  const { plan } = compilePlan({ model: createModel(options), draft: createDraft(), features, isDevelopment });
  await createTables(database, plan.tables);
  const context = activatePlan(plan, services);
  const seed = async (): Promise<void> => {
    for (const { seeds = [] } of plan.contributions) for (const plant of seeds) await plant(context);
  };
  await seed();
  const workers: Worker[] = plan.contributions.flatMap((one) => (one.workers ?? []).map((make) => make(context)));
  return {
    context,
    services,
    clock,
    journal,
    workers,
    seed,
    get: (target, session = {}) => send(context, { method: 'GET', target, body: '' }, { session }),
    post: (target, body, more = {}) => {
      const headers = { 'sec-fetch-site': 'same-origin', ...more.headers };
      return send(context, { method: 'POST', target, body }, { ...more, headers });
    },
    send: (method, target, more = {}) => send(context, { method, target, body: '' }, more),
    async emit(event, stage) {
      const request = new Request().setStage(stage);
      const response = new Response(request);
      await asSystem(() => context.emit(event, request, response));
      return response;
    },
    addUser: (name, isActive = true) => addUser(services, name, isActive),
    rows: (table) => database.kysely.selectFrom(table).selectAll().orderBy(sql`1`).execute(),
    async close() {
      for (const worker of workers) await worker.stop();
      await database.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
