import { toSeconds } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import type { OutgoingMail } from '../outbound/mail.ts';
import type { Services } from '../plan/feature.ts';
import { restingOf } from '../queue/resting.ts';

/** A mail that was sent. */
export interface TestMail {
  /** Address of the recipient. */
  readonly to: string;
  /** The subject. */
  readonly subject: string;
  /** The plain text; undefined if there is only HTML. */
  readonly text: string | undefined;
  /** The HTML; undefined if there is only text. */
  readonly html: string | undefined;
}

/** A job of the project's code, with its last attempt. */
export interface TestJob {
  /** As `app.queue` gives it. */
  readonly id: number;
  /** Name of the handler. */
  readonly name: string;
  /** `waiting`, `running`, `unhandled`, `done`, `failed` or `replaced`. `waiting` may be for a retry: then `attempts` is 1 or more, and `reason` tells why. */
  readonly state: string;
  /** Attempts that have begun. */
  readonly attempts: number;
  /** What the handler gets; undefined once it is done. */
  readonly data: unknown;
  /** Message of the last failure. */
  readonly reason: string | undefined;
}

/** Milliseconds between two looks. */
const LOOK_MS = 5;
/** Milliseconds of the machine's clock that due work may take. */
const PATIENCE_MS = 30_000;

/**
 * Jobs, mails and deliveries that are due or under way, and schedules that are due, by name of their queue. What waits because
 * its receiver asked for a pause is not due before the pause ends.
 */
async function listDue({ database, clock }: Services): Promise<string[]> {
  const now = toSeconds(clock.now());
  const { kysely } = database;
  const isResting = ({ queue, lane }: Readonly<Record<string, unknown>>): boolean =>
    (restingOf(database, String(queue)).get(String(lane)) ?? 0) > clock.now();
  const jobs = await kysely
    .selectFrom('treadle_job')
    .select(['queue', 'payload', 'lane', 'owner'])
    .where((where) => where.or([where('due_at', '<=', now), where('owner', 'is not', null)]))
    .execute();
  const schedules = await kysely.selectFrom('treadle_schedule').select('name').where('next_at', '<=', now).execute();
  return [
    ...jobs
      .filter((job) => job.owner !== null || !isResting(job))
      .map(({ queue, payload }) => `${String(queue)} ${String(payload)}`),
    ...schedules.map(({ name }) => `schedule ${String(name)}`),
  ];
}

const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, LOOK_MS));

/**
 * Waits until nothing is due. Twice in a row, because a job may queue another as it ends.
 *
 * @throws TEST_NOT_IDLE after 30 s, with what is still due.
 */
export async function settle(services: Services): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (let quiet = 0; quiet < 2; ) {
    const due = await listDue(services);
    quiet = due.length === 0 ? quiet + 1 : 0;
    if (due.length > 0 && performance.now() > until)
      throw new TreadleError('TEST_NOT_IDLE', `After ${PATIENCE_MS / 1000} s this is still due: ${due.join(', ')}.`, {
        hint: 'A job without a handler, or one that queues itself without a delay, never ends. See the log of the site.',
      });
    await pause();
  }
}

/** Mails that were kept instead of being sent, oldest first. */
export async function listMails({ database, secret }: Services): Promise<TestMail[]> {
  const query = database.kysely.selectFrom('treadle_mail').select('sealed').where('state', '=', 'kept');
  const rows = await query.orderBy('mail_id').execute();
  return rows.map(({ sealed }) => {
    const { to, subject, text, html } = (JSON.parse(secret.open(String(sealed))) as { mail: OutgoingMail }).mail;
    return { to, subject, text, html };
  });
}

/** Jobs of the project's code, oldest first. */
export async function listJobs({ database }: Services, id?: number): Promise<TestJob[]> {
  const query = database.kysely
    .selectFrom('treadle_own_job')
    .select(['own_job_id', 'name', 'state', 'attempts', 'data', 'reason'])
    .orderBy('own_job_id');
  const rows = await (id === undefined ? query : query.where('own_job_id', '=', id)).execute();
  return rows.map(({ own_job_id, name, state, attempts, data, reason }) => ({
    id: Number(own_job_id),
    name: String(name),
    state: String(state),
    attempts: Number(attempts),
    data: data === null ? undefined : JSON.parse(String(data)),
    reason: reason === null ? undefined : String(reason),
  }));
}
