import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import type { Row } from '../../../database/row-statement.ts';
import { toInvalidMessage } from '../../../model/field/validate.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { toJobData } from '../data.ts';
import { enqueueJob, type JobRequest } from '../enqueue.ts';

const MAX_DELAY = 366 * 86_400;
const ATTEMPTS = 5;
const MAX_ATTEMPTS = 20;
const MAX_KEY = 200;
const MAX_NAME = 100;

/** What a visitor must not choose: else any page that emits this event would start any job. */
const CHOSEN_BY_CODE = ['name', 'delay', 'key', 'attempts'] as const;

function toWhole(value: unknown, least: number, most: number): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= least && number <= most ? Math.ceil(number) : undefined;
}

/** Reads the stage. Returns messages by field if it is wrong. */
function readWanted(request: Request): {
  readonly wanted: JobRequest;
  readonly faults: Readonly<Record<string, string>>;
} {
  const { name, data = {}, delay = 0, key, attempts = ATTEMPTS } = request.getStage() as Row;
  const errors: Record<string, string> = {};
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) errors.name = 'Should be the name of a job';
  const made = toJobData(data);
  if ('fault' in made) errors.data = made.fault;
  const wait = toWhole(delay, 0, MAX_DELAY);
  if (wait === undefined) errors.delay = `Should be seconds from 0 to ${MAX_DELAY}`;
  const most = toWhole(attempts, 1, MAX_ATTEMPTS);
  if (most === undefined) errors.attempts = `Should be a number from 1 to ${MAX_ATTEMPTS}`;
  if (key !== undefined && (typeof key !== 'string' || key === '' || key.length > MAX_KEY))
    errors.key = `Should be a text of 1 to ${MAX_KEY} characters`;
  for (const field of CHOSEN_BY_CODE)
    if (request.isBrought(field)) errors[field] = 'Cannot come with a request: set it in code';
  const json = 'json' in made ? made.json : '';
  const text = typeof key === 'string' ? key : undefined;
  return {
    wanted: { name: String(name), data: json, delay: wait ?? 0, key: text, attempts: most ?? 1 },
    faults: errors,
  };
}

/** The job waits: the handler may be in the code of another process, or come with the next release. */
function warnUnhandled({ plan, services }: Context, { name }: JobRequest, id: number): void {
  const names = plan.jobs.map((job) => job.name);
  if (names.includes(name)) return;
  const hint = toDidYouMean(name, names) ?? `Add app.job("${name}", …).`;
  services.log.warn('job.unhandled', { job: name, id, message: `No handler for the job "${name}": it waits.`, hint });
}

async function queue(context: Context, request: Request, response: Response): Promise<void> {
  const { wanted, faults } = readWanted(request);
  if (Object.keys(faults).length > 0) {
    response.refuse({ status: 422, message: toInvalidMessage(faults), validation: faults });
    return;
  }
  const { id, isNew } = await enqueueJob(context.services, wanted);
  if (isNew) warnUnhandled(context, wanted, id);
  response.succeed({ job_id: id, queued: isNew });
}

export const jobQueue: EventContribution = {
  name: 'job-queue',
  description: 'Queues a job, with the open transaction if there is one. `app.queue` emits it.',
  stage: {
    name: 'Name of the job. Never from a request, like the next three.',
    delay: 'Seconds until the first attempt. Default 0.',
    key: 'At most one job of the name waits with this key.',
    attempts: 'Attempts before it is given up, 1 to 20. Default 5.',
    data: 'What the handler gets: JSON of at most 64 kB. Default `{}`.',
  },
  results: '`job_id`; `queued` is false if a job with the key waits already, which is then due no later.',
  kind: 'queues',
  listen: (context) => (request, response) => queue(context, request, response),
};
