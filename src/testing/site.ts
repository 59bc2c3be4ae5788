import process from 'node:process';
import { type Application, createApp } from '../boot.ts';
import { systemClock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import { createLog } from '../core/log/log.ts';
import type { RowOf, SchemaName, StageOf } from '../plan/emit/typed-emit.ts';
import { findProjectRoot } from '../project/root.ts';
import { createMovableClock, type Duration, type MovableClock, toMilliseconds } from './clock.ts';
import { createRecordedOutbound, type RecordedOutbound, type Reply, type SentRequest } from './outbound.ts';
import {
  CHEAP_COST,
  createPerson,
  createTestApp,
  getMade,
  type TestApp,
  type TestAppOptions,
  type TestPerson,
  type TestPersonOptions,
} from './people.ts';
import { createPlace, type TestPlace } from './place.ts';
import { createVisitor, type TestVisitor } from './visitor.ts';
import { listJobs, listMails, settle, type TestJob, type TestMail } from './work.ts';

export type { Duration } from './clock.ts';
export type { Reply, SentRequest, TestReply, TestRequest } from './outbound.ts';
export type { TestApp, TestAppOptions, TestPerson, TestPersonOptions } from './people.ts';
export type { TestAnswer, TestForm, TestSent, TestVisitor } from './visitor.ts';
export type { TestJob, TestMail } from './work.ts';

/** How a test site is served. */
export interface TestSiteOptions {
  /** Folder of the project. Default: the one that contains the working folder. */
  readonly root?: string;
  /**
   * `postgres://…`: the site makes a schema of its own in this database, and removes it when it closes. Default: an SQLite
   * file in a temporary folder. An empty text counts as unset.
   */
  readonly database?: string | undefined;
  /** Environment variables, such as the secret of a sign-in provider. Treadle reads neither `.env` nor the process's own; variables of the project's own code win over both. */
  readonly env?: Readonly<Record<string, string>>;
  /** When the clock begins: a `Date`, or a time in UTC such as `2026-03-01 09:00:00`. Default: now. */
  readonly now?: Date | string;
  /** What other servers answer. Default: 204. */
  readonly reply?: Reply;
  /** True to print no errors of the log. Default false: they go to standard error, because a page shows none. */
  readonly quiet?: boolean;
}

/** A web hook that was sent, with the status of the reply. */
export interface TestDelivery extends SentRequest {
  /** Such as `profile.created`. */
  readonly type: string;
  /** What the hook reports. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The clock of a test site. It runs with the machine's. */
export interface TestClock {
  /** What time it is for the site. */
  now(): Date;
  /** Moves ahead at once, as for a machine that slept, and waits for what falls due: {@link TestSite.settle}. */
  advance(duration: Duration): Promise<void>;
}

/** One line of the log. */
export interface TestLogEntry {
  /** `debug`, `info`, `warn` or `error`. */
  readonly level: string;
  /** What happened. */
  readonly event: string;
  /** More fields, by event. */
  readonly [field: string]: unknown;
}

type Values<S extends string> = Omit<StageOf<'system-model-create', S>, 'schema'>;
type CreatedRow<S extends string> = S extends SchemaName ? RowOf<S> : Record<string, unknown>;

/** A served project with data, mail, web hooks and a clock of its own. Its own requests are those of a visitor without cookies. */
export interface TestSite extends TestVisitor {
  /** Such as `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Folder of the project. */
  readonly root: string;
  /** Decides all times of the site. */
  readonly clock: TestClock;
  /** Emits as the system, as `createApp().emit` does. */
  readonly emit: Application['emit'];
  /** As `app.rows` of the project's code, as the system. */
  readonly rows: Application['rows'];
  /** As `app.count`, as the system. */
  readonly count: Application['count'];
  /** As `app.exists`, as the system. */
  readonly exists: Application['exists'];
  /** As `app.upsert`, as the system. */
  readonly upsert: Application['upsert'];
  /** The lines so far, oldest first. */
  readonly log: readonly TestLogEntry[];
  /** A visitor with cookies, who is not logged in. */
  visitor(): TestVisitor;
  /** A new person who is logged in. @throws TEST_SETUP_FAILED */
  person(name?: string, options?: TestPersonOptions): Promise<TestPerson>;
  /** A new app. @throws TEST_SETUP_FAILED */
  app(options?: TestAppOptions): Promise<TestApp>;
  /** Creates a row as the system and returns it. @throws TEST_SETUP_FAILED with the messages of its fields. */
  create<const S extends string>(schema: S, values: Values<S>): Promise<CreatedRow<S>>;
  /** Runs what is due, with what that queues: jobs, schedules, mails, deliveries. @throws TEST_NOT_IDLE */
  settle(): Promise<void>;
  /** Mails so far, oldest first. */
  mails(): Promise<TestMail[]>;
  /** Web hooks that were sent so far, oldest first; each attempt. */
  deliveries(): Promise<TestDelivery[]>;
  /** All requests to other servers so far, oldest first. */
  requests(): Promise<SentRequest[]>;
  /** Says what other servers answer from now on. */
  reply(reply: Reply): void;
  /** Jobs of the project's code, oldest first. */
  jobs(): Promise<TestJob[]>;
  /** Runs a job now, once, and waits for it. @throws TEST_JOB_FAILED with its error's message. */
  run(name: string, data?: unknown): Promise<void>;
  /** Ends the server and removes its data. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const SECRET = 'a secret that only tests of this project have';

function findRoot({ root }: TestSiteOptions): string {
  const found = root ?? findProjectRoot(process.cwd());
  if (found !== undefined) return found;
  throw new TreadleError('TEST_PROJECT_MISSING', `There is no project in ${process.cwd()}.`, {
    hint: 'Name its folder: startTestSite({ root: … }).',
  });
}

function toStart(now: Date | string | undefined): number {
  if (now === undefined) return Date.now();
  const start = now instanceof Date ? now.getTime() : Date.parse(/[Zz]$|[+-]\d\d:?\d\d$/.test(now) ? now : `${now}Z`);
  if (!Number.isNaN(start)) return start;
  throw new TreadleError('TEST_CLOCK_INVALID', `"${String(now)}" is not a time.`, {
    hint: 'Such as 2026-03-01 09:00:00.',
  });
}

function toDelivery(sent: SentRequest): TestDelivery[] {
  if (sent.headers['webhook-id'] === undefined) return [];
  const { type, data } = JSON.parse(sent.body) as Pick<TestDelivery, 'type' | 'data'>;
  return [{ ...sent, type, data }];
}

interface Parts {
  readonly app: Application;
  readonly place: TestPlace;
  readonly clock: MovableClock;
  readonly outbound: RecordedOutbound;
  readonly log: readonly TestLogEntry[];
}

class RunningSite implements TestSite {
  readonly url: string;
  readonly root: string;
  readonly clock: TestClock;
  readonly emit: Application['emit'];
  readonly rows: Application['rows'];
  readonly count: Application['count'];
  readonly exists: Application['exists'];
  readonly upsert: Application['upsert'];
  readonly log: readonly TestLogEntry[];
  readonly get: TestVisitor['get'];
  readonly post: TestVisitor['post'];
  readonly send: TestVisitor['send'];
  readonly #parts: Parts;
  #owner: Promise<TestPerson> | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: Parts, url: string) {
    const { app, clock, log } = parts;
    this.#parts = parts;
    this.url = url;
    this.root = app.services.root;
    this.log = log;
    this.emit = app.emit;
    this.rows = app.rows;
    this.count = app.count;
    this.exists = app.exists;
    this.upsert = app.upsert;
    this.get = (path, headers) => this.visitor().get(path, headers);
    this.post = (path, form) => this.visitor().post(path, form);
    this.send = (method, path, sent) => this.visitor().send(method, path, sent);
    this.clock = {
      now: () => new Date(clock.now()),
      advance: (duration) => {
        clock.jump(toMilliseconds(duration));
        return this.settle();
      },
    };
  }

  visitor(): TestVisitor {
    return createVisitor({ url: this.url });
  }

  person(name = 'Ada', options?: TestPersonOptions): Promise<TestPerson> {
    return createPerson(this.#parts.app, name, options);
  }

  async app(options?: TestAppOptions): Promise<TestApp> {
    this.#owner ??= this.person('Owner of apps');
    return createTestApp(this.#parts.app, await this.#owner, options);
  }

  async create<const S extends string>(schema: S, values: Values<S>): Promise<CreatedRow<S>> {
    const stage: Readonly<Record<string, unknown>> = { ...values, schema };
    const made = await this.emit('system-model-create' as string, stage);
    return getMade(`A row of ${schema}`, made) as CreatedRow<S>;
  }

  settle(): Promise<void> {
    return settle(this.#parts.app.services);
  }

  async mails(): Promise<TestMail[]> {
    await this.settle();
    return listMails(this.#parts.app.services);
  }

  async deliveries(): Promise<TestDelivery[]> {
    return (await this.requests()).flatMap(toDelivery);
  }

  async requests(): Promise<SentRequest[]> {
    await this.settle();
    return [...this.#parts.outbound.sent];
  }

  reply(reply: Reply): void {
    this.#parts.outbound.reply = reply;
  }

  async jobs(): Promise<TestJob[]> {
    await this.settle();
    return listJobs(this.#parts.app.services);
  }

  async run(name: string, data: unknown = {}): Promise<void> {
    const { app } = this.#parts;
    if (!app.plan.jobs.some((job) => job.name === name)) {
      const names = app.plan.jobs.map((job) => job.name).join(', ');
      throw new TreadleError('TEST_JOB_FAILED', `There is no job "${name}".`, { hint: `Jobs: ${names || '(none)'}.` });
    }
    const queued = getMade(`The job ${name}`, await this.emit('job-queue', { name, data, attempts: 1 }));
    await this.settle();
    const [job] = await listJobs(app.services, Number(queued.job_id));
    if (job?.state === 'done') return;
    throw new TreadleError('TEST_JOB_FAILED', `The job ${name} is ${job?.state ?? 'gone'}: ${job?.reason ?? ''}`);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { app, place } = this.#parts;
    try {
      await app.close();
    } finally {
      await place.remove();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Keeps the lines, and prints errors: a test that gets a 500 needs the reason. */
function createTestLog(clock: MovableClock, isQuiet: boolean) {
  const entries: TestLogEntry[] = [];
  const write = (line: string): void => {
    const entry = JSON.parse(line) as TestLogEntry;
    entries.push(entry);
    if (entry.level === 'error' && !isQuiet) process.stderr.write(`${line.trimEnd()}\n`);
  };
  return { entries, log: createLog({ clock, write }) };
}

/**
 * Serves a project for tests: in this process, at a free port, with a database of its own. It needs no network, takes nothing
 * from `.env` but the variables of the project's own code, and sends nothing: mails, web hooks and other requests are kept for the test.
 *
 * @throws PROJECT_DEFINITIONS_INVALID with all problems. @throws TEST_PROJECT_MISSING
 */
export async function startTestSite(options: TestSiteOptions = {}): Promise<TestSite> {
  const root = findRoot(options);
  const clock = createMovableClock(toStart(options.now));
  const { entries, log } = createTestLog(clock, options.quiet === true);
  const outbound = createRecordedOutbound(clock);
  if (options.reply) outbound.reply = options.reply;
  const place = createPlace(options.database, log);
  const env = { TREADLE_SECRET: SECRET, ...options.env, DATABASE_URL: place.url };
  try {
    const isolation = { outbound, uploads: place.uploads, limits: systemClock };
    const app = await createApp({ root, mode: 'test', env, clock, log, isolation, passwordCost: CHEAP_COST });
    try {
      return new RunningSite({ app, place, clock, outbound, log: entries }, await app.listen({ port: 0 }));
    } catch (error) {
      await app.close();
      throw error;
    }
  } catch (error) {
    await place.remove();
    throw error;
  }
}
