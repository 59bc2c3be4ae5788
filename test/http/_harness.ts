import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateFinder, type PathGate } from '../../src/access/guard.ts';
import { Bus } from '../../src/core/bus/bus.ts';
import type { Listener } from '../../src/core/bus/followers.ts';
import { compilePattern } from '../../src/core/bus/pattern.ts';
import type { RouteKind } from '../../src/core/bus/route-index.ts';
import { type Clock, systemClock, systemRandom } from '../../src/core/clock.ts';
import { packageRoot } from '../../src/core/file/package-root.ts';
import type { Log } from '../../src/core/log/log.ts';
import { Memory } from '../../src/core/memory.ts';
import { createRootSecret } from '../../src/core/secret/secret.ts';
import type { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migration.ts';
import { createSystemTable } from '../../src/database/table.ts';
import { createDevelopment, type Development } from '../../src/http/development.ts';
import type { Lifecycle, Mode, Traffic } from '../../src/http/exchange.ts';
import { createHandle } from '../../src/http/handle.ts';
import { createServer } from '../../src/http/server.ts';
import { createSessions, type RuntimeSessions, sessionTable } from '../../src/http/session/session.ts';
import { Settings } from '../../src/model/shape.ts';
import { createViews } from '../../src/pages/view.ts';
import type { Context, Plan, Services } from '../../src/plan/feature.ts';
import { openPlaced, type PlacedOptions } from '../database/_where.ts';

export interface TestRoute {
  readonly kind?: RouteKind;
  readonly bodyBytes?: number;
  readonly isOwn?: boolean;
  readonly listener: Listener;
}

export async function openTestDatabase(clock: Clock = systemClock, place: PlacedOptions = {}): Promise<Database> {
  const database = await openPlaced({ clock, ...place });
  await migrate(database, [createSystemTable(sessionTable, database.dialect)]);
  return database;
}

export interface HarnessOptions {
  readonly routes?: Readonly<Record<string, TestRoute | Listener>>;
  readonly gates?: readonly PathGate[];
  readonly clock?: Clock;
  readonly mode?: Mode;
  readonly log?: Log;
  readonly settings?: object;
  readonly baseUrl?: string;
  readonly bodyBytes?: number;
  readonly on?: (bus: Bus) => void;
  readonly isAccessLogged?: boolean;
  /** How the database is opened; with a `file` SQLite has separate read connections. */
  readonly place?: PlacedOptions;
  readonly handlerMs?: number;
  /** Counts the requests that are under way. */
  readonly traffic?: Traffic;
  /** Writes files into the project's folder before it is served. */
  readonly prepare?: (folder: string) => void;
}

export function createTestPlan(options: HarnessOptions): Plan {
  const bus = new Bus();
  const bodyBytes = options.bodyBytes ?? 1024;
  for (const [name, given] of Object.entries(options.routes ?? {})) {
    const route = typeof given === 'function' ? { listener: given } : given;
    const path = name.split(' ')[1] ?? '';
    const bytes = route.bodyBytes ?? bodyBytes;
    bus.describe('ALL', compilePattern(path), { kind: route.kind ?? 'page', bodyBytes: bytes, uploadBytes: bytes });
    bus.on(name, route.listener, 0, route.isOwn);
  }
  options.on?.(bus);
  bus.freeze();
  const settings = Settings.parse(options.settings ?? {});
  return {
    model: { settings, schemas: new Map(), roles: new Map() },
    calls: [],
    hooks: [],
    tables: [sessionTable],
    bus,
    isDevelopment: options.mode === 'development',
  } as unknown as Plan;
}

export interface Harness {
  readonly url: string;
  readonly database: Database;
  readonly sessions: RuntimeSessions;
  readonly services: Services;
  readonly folder: string;
  readonly lifecycle: Lifecycle;
  readonly development: Development | undefined;
  readonly lines: { level: string; event: string; fields: Record<string, unknown> }[];
  /** Swaps the plan, as a reload does. */
  swap(options: HarnessOptions): void;
  close(graceMs?: number): Promise<void>;
  remove(): Promise<void>;
}

function createLines(): { log: Log; lines: Harness['lines'] } {
  const lines: Harness['lines'] = [];
  const at =
    (level: string) =>
    (event: string, fields: object = {}): void => {
      lines.push({ level, event, fields: fields as Record<string, unknown> });
    };
  return { lines, log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } };
}

function toContext(plan: Plan, services: Services, options: HarnessOptions): Context {
  return {
    plan,
    services,
    memory: new Memory(),
    emit: (event, request, response) => plan.bus.emit(event, request, response),
    findGate: createGateFinder(options.gates ?? []),
    committing: async () => ({}),
    write: (_, unit) => services.database.write(unit),
    watching: { noteEvent() {}, noteRead() {}, noteVeto() {} },
    hasListener: () => false,
  };
}

export async function createHarness(options: HarnessOptions = {}): Promise<Harness> {
  const clock = options.clock ?? systemClock;
  const { lines, log } = createLines();
  const folder = mkdtempSync(join(tmpdir(), 'treadle-runtime-'));
  options.prepare?.(folder);
  const database = await openTestDatabase(clock, { log, root: folder, ...options.place });
  const secret = createRootSecret('test', systemRandom);
  const idleSeconds = (): number => 1_209_600;
  const baseUrl = (): string => options.baseUrl ?? 'http://127.0.0.1';
  const sessions = createSessions({ database, clock, random: systemRandom, secret, log, idleSeconds, baseUrl });
  const views = createViews({ folder: join(packageRoot, 'templates'), clock });
  const services = {
    memory: new Memory(),
    database,
    clock,
    random: systemRandom,
    log,
    secret,
    sessions,
    views,
    root: folder,
    baseUrl,
  } as unknown as Services;
  const state = { context: toContext(createTestPlan(options), services, options) };
  const lifecycle = { isStopping: false };
  const development = options.mode === 'development' ? createDevelopment({ clock, random: systemRandom }) : undefined;
  const dispatch = createHandle({
    current: () => state.context,
    sessions,
    views,
    log,
    clock,
    random: systemRandom,
    mode: options.mode ?? 'test',
    root: folder,
    publicFolder: join(folder, 'public'),
    lifecycle,
    isAccessLogged: options.isAccessLogged ?? false,
    ...(options.traffic && { traffic: options.traffic }),
    ...(options.handlerMs === undefined ? {} : { handlerMs: options.handlerMs }),
    ...(development ? { development } : {}),
  });
  const server = createServer({ dispatch, clock: systemClock, lifecycle, onStopping: () => development?.close() });
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const close = (graceMs = 1000): Promise<void> => server.close(graceMs);
  return {
    url,
    database,
    sessions,
    services,
    folder,
    lifecycle,
    development,
    lines,
    close,
    swap(next) {
      state.context = toContext(createTestPlan(next), services, next);
    },
    async remove() {
      await close(0);
      await sessions.settled();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
