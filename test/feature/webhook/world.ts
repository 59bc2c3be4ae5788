import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { sql } from 'kysely';
import { asSystem } from '../../../src/core/access.ts';
import { Bus } from '../../../src/core/bus/bus.ts';
import type { Listener } from '../../../src/core/bus/followers.ts';
import type { Clock } from '../../../src/core/clock.ts';
import { type Log, silentLog } from '../../../src/core/log/log.ts';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import { createRootSecret } from '../../../src/core/secret/secret.ts';
import type { WebhookWorker } from '../../../src/feature/webhook/delivery/worker.ts';
import { webhook } from '../../../src/feature/webhook/index.ts';
import type { HookModel, Model } from '../../../src/model/model.ts';
import { type Hook, Settings } from '../../../src/model/shape.ts';
import type { Outbound, OutboundRequest, OutboundResponse } from '../../../src/outbound/outbound.ts';
import type { CommitListener, Context, Contribution, Facts } from '../../../src/plan/feature.ts';
import { createFakeRandom, type FakeClock } from '../../clock.ts';
import { openTestDatabase } from '../../queue/world.ts';

export interface AppRow {
  readonly app_id: number;
  readonly client_id: string;
  readonly url: string;
  readonly owner_profile_id: number | null;
  readonly secret_version?: number;
}

export interface WorldOptions {
  readonly clock: Clock;
  readonly outbound: Outbound;
  readonly hooks: readonly NamedHook[];
  readonly apps?: () => readonly AppRow[];
  readonly isDevelopment?: boolean;
  readonly log?: Log;
  /** The site's base URL, read for each event. Default `https://blog.example`. */
  readonly baseUrl?: () => string;
  /** Apps with definition files, read for each plan. */
  readonly fileApps?: () => readonly { clientId: string; hooks: readonly string[]; secretVersion: number }[];
}

export const secret = createRootSecret('a root secret for tests', createFakeRandom());

/** A hook's definition, optionally with another name than `profile-created`. */
export type NamedHook = Partial<Hook> & { readonly name?: string };

export function toHook({ name = 'profile-created', ...definition }: NamedHook): HookModel {
  const whole: Hook = {
    title: 'Profile created',
    event: 'system-model-create',
    parameters: { schema: 'profile' },
    type: 'profile.created',
    ...definition,
  };
  return { name, definition: whole, schema: 'profile', file: `config/webhook/${name}.json` };
}

export function toFacts(options: Pick<WorldOptions, 'hooks' | 'isDevelopment' | 'fileApps'>): Facts {
  const apps = new Map((options.fileApps?.() ?? []).map((definition) => [definition.clientId, { definition }]));
  const model = { settings: Settings.parse({}), schemas: new Map(), hooks: new Map(), apps } as unknown as Model;
  return {
    model,
    calls: [],
    hooks: options.hooks.map(toHook),
    jobs: [],
    isDevelopment: options.isDevelopment ?? false,
  };
}

export interface World {
  readonly context: Context;
  readonly database: Context['services']['database'];
  readonly worker: () => WebhookWorker;
  /** Acts as a behaviour does: writes, then lets the hooks' rows commit with it. */
  act(results: unknown, stage?: Record<string, unknown>, fails?: boolean): Promise<Response>;
  emit(event: string, stage: Record<string, unknown>): Promise<Response>;
  table(name: string): Promise<Record<string, unknown>[]>;
  /** Another plan on the same database, as after a reload; its worker replaces the old one. */
  reload(hooks: readonly NamedHook[], prepare?: (bus: Bus) => void): Promise<void>;
  close(): Promise<void>;
}

export async function createWorld(options: WorldOptions): Promise<World> {
  const { clock, outbound } = options;
  const opened = await openTestDatabase(webhook.contribute(toFacts(options)).tables ?? []);
  const { database } = opened;
  const random = createFakeRandom();
  let current = await start(options.hooks);

  async function start(hooks: readonly NamedHook[], prepare: (bus: Bus) => void = () => {}) {
    const facts = toFacts({ ...options, hooks });
    const contribution: Contribution = webhook.contribute(facts);
    const bus = new Bus();
    const { log = silentLog, baseUrl = () => 'https://blog.example' } = options;
    const services = { database, clock, random, log, secret, outbound, baseUrl };
    const commits: CommitListener[] = [];
    const context = {
      plan: { ...facts, bus },
      services,
      emit: (event: string, request: Request, response: Response) => bus.emit(event, request, response),
      committing: async (event: string, request: Request, response: Response) => {
        for (const listener of commits)
          if (listener.handles(event, request)) await listener.commit(event, request, response);
      },
      hasListener: () => true,
    } as unknown as Context;
    for (const event of contribution.events ?? []) bus.on(event.name, event.listen(context));
    if (options.apps) bus.on('webhook-subscriber-search', toSearch(options.apps));
    prepare(bus);
    for (const make of contribution.commits ?? []) commits.push(make(context));
    for (const seed of contribution.seeds ?? []) await database.transaction(() => seed(context));
    const [worker] = (contribution.workers ?? []).map((make) => make(context) as WebhookWorker);
    if (!worker) throw new Error('no worker');
    return { context, worker };
  }

  return {
    database,
    get context() {
      return current.context;
    },
    worker: () => current.worker,
    async act(results, stage = { schema: 'profile' }, fails = false) {
      const request = new Request().setStage(stage);
      const response = new Response(request);
      await database.write(async () => {
        response.setError(false).setResults(results);
        await current.context.committing('system-model-create', request, response);
        if (fails) throw new Error('rolled back');
      });
      return response;
    },
    async emit(event, stage) {
      const response = new Response();
      await asSystem(() => current.context.emit(event, new Request().setStage(stage), response));
      return response;
    },
    table: async (name) => database.kysely.selectFrom(name).selectAll().orderBy(sql`1`).execute(),
    async reload(hooks, prepare) {
      await current.worker.stop();
      current = await start(hooks, prepare);
    },
    async close() {
      await current.worker.stop();
      await opened.close();
    },
  };
}

/** Advances the clock, stopping whenever a job is due, or at least once per step. */
export async function pass(world: World, clock: FakeClock, seconds: number, step = seconds): Promise<void> {
  const end = clock.now() + seconds * 1000;
  for (;;) {
    await world.worker().idle();
    clock.advance(0);
    await world.worker().idle();
    const left = end - clock.now();
    if (left <= 0) return;
    const rows = await world.database.kysely.selectFrom('treadle_job').select('due_at').orderBy('due_at').execute();
    const dues = rows.map((row) => Number(row.due_at) * 1000 - clock.now()).filter((due) => due > 0);
    clock.advance(Math.min(left, step * 1000, ...dues));
  }
}

function toSearch(apps: () => readonly AppRow[]): Listener {
  return (request, response) => {
    // For a hook for users a profile is named: here the owners' apps may get it.
    const profileId = request.getStage('profile_id');
    const rows = apps().filter((app) => profileId === undefined || app.owner_profile_id === profileId);
    response.setError(false).setResults({ rows });
  };
}

export interface Sent extends OutboundRequest {
  readonly at: number;
}

/** An outbound that answers by a script and records requests. */
export function createScript(clock: Clock, answer: (sent: Sent, index: number) => Partial<OutboundResponse> | Error) {
  const sent: Sent[] = [];
  const outbound: Outbound = {
    judge: () => undefined,
    async send(request) {
      const call = { ...request, at: clock.now() };
      sent.push(call);
      const answered = answer(call, sent.length);
      if (answered instanceof Error) throw answered;
      return { status: 200, headers: {}, body: '', milliseconds: 3, ...answered };
    },
  };
  return { sent, outbound };
}

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on loopback. */
export async function createReceiver(answer: (received: Received, response: ServerResponse) => void) {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const whole = { headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(whole);
      answer(whole, response);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
