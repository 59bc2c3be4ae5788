import { asSystem } from '../../core/access.ts';
import { TreadleError } from '../../core/errors.ts';
import { Request } from '../../core/request/request.ts';
import { Response } from '../../core/request/response.ts';
import type { Committed, CommittedListener, CommittedOptions } from '../app.ts';
import type { Draft } from '../draft.ts';
import type { CommitListener, Context } from '../feature.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;
/** Together 26 hours. */
const ATTEMPTS = 10;
const MAX_ATTEMPTS = 20;
const SECONDS = 900;
/** Maximum bytes of stored results; a job holds 64 kB. */
const MAX_BYTES = 60_000;
/** Longer values are left out of larger results. */
const MAX_VALUE = 1000;

const toJob = (name: string): string => `committed:${name}`;

interface CommitRegistration {
  readonly event: string | RegExp;
  readonly name: string;
  readonly listener: CommittedListener;
  readonly options: CommittedOptions;
  readonly place: string | undefined;
}

function check(draft: Draft, { event, name, listener, options: { attempts = ATTEMPTS } }: CommitRegistration): void {
  const what = `app.committed('${String(event)}', '${String(name)}')`;
  draft.checkOpen(what);
  const refuse = (message: string, hint: string): TreadleError =>
    new TreadleError('COMMITTED_INVALID', message, { hint });
  if (typeof name !== 'string' || !NAME.test(name))
    throw refuse(`${what} has no valid name.`, 'Use letters, digits and . _ - inside, at most 80 characters.');
  if (typeof listener !== 'function')
    throw refuse(`${what} has no function.`, "Write app.committed('system-model-create', 'ticket-mail', listener).");
  if (typeof event === 'string' && /^[A-Z]+ \//.test(event))
    throw refuse(`${what} names a route.`, 'Name the event that the route emits, such as system-model-create.');
  if (!Number.isSafeInteger(attempts) || attempts < 1 || attempts > MAX_ATTEMPTS)
    throw refuse(`${what} has ${String(attempts)} attempts.`, `Give a whole number from 1 to ${MAX_ATTEMPTS}.`);
  const other = draft.jobs.find((job) => job.name === toJob(name));
  if (other === undefined) return;
  const hint = 'What is still queued is found by its name. Rename one of the two.';
  throw new TreadleError('COMMITTED_TWICE', `${what} has a name that ${other.place ?? 'another listener'} has.`, {
    hint,
  });
}

/** Adds a listener that runs, as a job, once an event is durable. @throws PLAN_CLOSED, COMMITTED_INVALID, COMMITTED_TWICE */
export function addCommitted(draft: Draft, registration: CommitRegistration): void {
  check(draft, registration);
  const { event, name, listener, place } = registration;
  const { schema, attempts = ATTEMPTS } = registration.options;
  const schemas = schema === undefined ? undefined : new Set(typeof schema === 'string' ? [schema] : schema);
  draft.committed.add({ event, schemas, job: toJob(name), attempts, place });
  draft.jobs.push({
    name: toJob(name),
    seconds: SECONDS,
    cron: undefined,
    place,
    run({ id, data, attempt, signal }) {
      const { event: of, results, isPartial } = data as Omit<Committed, 'id' | 'attempt' | 'signal'>;
      return listener({ id: String(id), event: of, results, isPartial, attempt, signal });
    },
  });
}

/** The results as JSON that a job can hold. Of large ones without the long values. */
function toStoredResults(results: unknown): Pick<Committed, 'results' | 'isPartial'> {
  const text = JSON.stringify(results ?? null) ?? 'null';
  const isPartial = Buffer.byteLength(text) > MAX_BYTES;
  const whole: unknown = JSON.parse(text);
  if (!isPartial) return { results: whole, isPartial };
  const entries = typeof whole === 'object' && whole !== null ? Object.entries(whole) : [];
  const short = entries
    .filter(([, value]) => JSON.stringify(value).length <= MAX_VALUE)
    .slice(0, MAX_BYTES / MAX_VALUE);
  return { results: Object.fromEntries(short), isPartial };
}

/** Queues the listeners of an event as jobs, inside its write: they commit with the data. The stage is not stored. */
export function createCommitted(context: Context, { committed }: Draft): CommitListener {
  return {
    handles: (event, request) => committed.find(event, request).length > 0,
    async commit(event, request, response) {
      for (const { job: name, attempts } of committed.find(event, request)) {
        const inner = new Request().setStage({
          name,
          attempts,
          data: { event, ...toStoredResults(response.getResults()) },
        });
        const answer = new Response(inner);
        await asSystem(() => context.emit('job-queue', inner, answer));
        if (answer.isError()) throw new TreadleError('COMMITTED_REFUSED', `"${name}": ${answer.getMessage()}`);
      }
    },
  };
}
