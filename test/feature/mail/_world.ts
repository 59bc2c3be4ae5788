import { join } from 'node:path';
import { sql } from 'kysely';
import { type Access, createAccess, runAs, SYSTEM } from '../../../src/core/access.ts';
import { Bus } from '../../../src/core/bus/bus.ts';
import type { Listener } from '../../../src/core/bus/followers.ts';
import { packageRoot } from '../../../src/core/file/package-root.ts';
import { type Log, silentLog } from '../../../src/core/log/log.ts';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import { createRootSecret } from '../../../src/core/secret/secret.ts';
import { mail } from '../../../src/feature/mail/index.ts';
import type { MailWorker } from '../../../src/feature/mail/worker.ts';
import type { Mailer } from '../../../src/outbound/mail.ts';
import { createViews } from '../../../src/pages/view.ts';
import type { Context, Facts, RenderMail } from '../../../src/plan/feature.ts';
import { createFakeClock, createFakeRandom, type FakeClock } from '../../clock.ts';
import { openTestDatabase } from '../../queue/world.ts';

type Row = Record<string, unknown>;

export interface WorldOptions {
  readonly mailer: Mailer;
  readonly renderMail?: RenderMail;
  readonly isDevelopment?: boolean;
  readonly log?: Log;
  readonly listeners?: Readonly<Record<string, Listener>>;
}

export interface World {
  readonly context: Context;
  readonly clock: FakeClock;
  readonly worker: MailWorker;
  /** Emits as the system, or as another access. */
  emit(event: string, stage: Row, access?: Access): Promise<Response>;
  mails(): Promise<Row[]>;
  /** Lets time pass, and stops wherever a job falls due. */
  pass(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export const PAGE = createAccess({ kind: 'page' });

/** The templates that the tests know, by name. */
export const renderGreeting: RenderMail = (name, data) =>
  name === 'greeting'
    ? { subject: `Hello ${String(data.name)}`, text: `Text for ${String(data.name)}`, html: undefined }
    : undefined;

/** The mail feature alone, over a database of its own. */
export async function createWorld(options: WorldOptions): Promise<World> {
  const { mailer, renderMail = renderGreeting, isDevelopment = false, log = silentLog, listeners = {} } = options;
  const clock = createFakeClock();
  const random = createFakeRandom();
  const facts = { isDevelopment, model: { settings: { name: 'Blog', home: '/', api: true, auth: { signup: true } } } };
  const contribution = mail.contribute(facts as unknown as Facts);
  const opened = await openTestDatabase(contribution.tables ?? []);
  const bus = new Bus();
  const context = {
    plan: { ...facts, bus, renderMail },
    services: {
      database: opened.database,
      clock,
      random,
      log,
      mailer,
      secret: createRootSecret('a root secret for tests', random),
      sessions: { formToken: () => 'token' },
      views: createViews({ folder: join(packageRoot, 'templates'), clock }),
      baseUrl: () => 'https://blog.example',
    },
    emit: (event: string, request: Request, response: Response) => bus.emit(event, request, response),
  } as unknown as Context;
  for (const [event, listener] of Object.entries(listeners)) bus.on(event, listener);
  for (const event of contribution.events ?? []) bus.on(event.name, event.listen(context));
  for (const { method, path, listen } of contribution.routes ?? []) bus.on(`${method} ${path}`, listen(context));
  const [worker] = (contribution.workers ?? []).map((make) => make(context) as MailWorker);
  if (!worker) throw new Error('no worker');
  return {
    context,
    clock,
    worker,
    async emit(event, stage, access = SYSTEM) {
      const response = new Response();
      await runAs(access, () => context.emit(event, new Request().setStage(stage), response));
      return response;
    },
    mails: () =>
      opened.database.kysely.selectFrom('treadle_mail').selectAll().orderBy(sql`1`).execute() as Promise<Row[]>,
    async pass(seconds) {
      const { kysely } = opened.database;
      const end = clock.now() + seconds * 1000;
      for (;;) {
        await worker.idle();
        clock.advance(0);
        await worker.idle();
        const left = end - clock.now();
        if (left <= 0) return;
        const jobs = await kysely.selectFrom('treadle_job').select('due_at').execute();
        const dues = jobs.map((job) => Number(job.due_at) * 1000 - clock.now()).filter((due) => due > 0);
        clock.advance(Math.min(left, ...dues));
      }
    },
    async close() {
      await worker.stop();
      await opened.close();
    },
  };
}
