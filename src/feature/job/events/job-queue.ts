import * as z from 'zod';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import { defineEvent, rejectValues } from '../../../plan/event/event.ts';
import type { Context } from '../../../plan/feature.ts';
import { toJobData } from '../data.ts';
import { enqueueJob } from '../enqueue.ts';

const MAX_DELAY = 366 * 86_400;
const ATTEMPTS = 5;
const MAX_ATTEMPTS = 20;
const MAX_KEY = 200;
const MAX_NAME = 100;

/** What a visitor must not choose: else any page that emits this event would start any job. */
const CHOSEN_BY_CODE = ['name', 'delay', 'key', 'attempts'] as const;

const NAME_ERROR = 'Should be the name of a job';
const KEY_ERROR = `Should be a text of 1 to ${MAX_KEY} characters`;

/** A number, rounded up. */
const whole = (least: number, most: number, preset: number, error: string) =>
  z
    .union([z.number(), z.string()], { error })
    .optional()
    .transform((value = preset, context) => {
      const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
      if (number >= least && number <= most) return Math.ceil(number);
      context.issues.push({ code: 'custom', message: error, input: value });
      return z.NEVER;
    });

/** What the handler gets, as JSON. */
const jobData = () =>
  z
    .unknown()
    .optional()
    .transform((value = {}, context) => {
      const made = toJobData(value);
      if ('json' in made) return made.json;
      context.issues.push({ code: 'custom', message: made.fault, input: value });
      return z.NEVER;
    });

/** The job waits: the handler may be in the code of another process, or come with the next release. */
function warnUnhandled({ plan, services }: Context, name: string, id: number): void {
  const names = plan.jobs.map((job) => job.name);
  if (names.includes(name)) return;
  const hint = toDidYouMean(name, names) ?? `Add app.job("${name}", …).`;
  services.log.warn('job.unhandled', { job: name, id, message: `No handler for the job "${name}": it waits.`, hint });
}

export const jobQueue = defineEvent({
  name: 'job-queue',
  description: 'Queues a job, with the open transaction if there is one. `app.queue` emits it.',
  kind: 'queues',
  stage: () =>
    z.object({
      name: z
        .string({ error: NAME_ERROR })
        .min(1, { error: NAME_ERROR })
        .max(MAX_NAME, { error: NAME_ERROR })
        .describe('Name of the job. Never from a request, like the next three.'),
      delay: whole(0, MAX_DELAY, 0, `Should be seconds from 0 to ${MAX_DELAY}`).describe(
        'Seconds until the first attempt. Default 0.',
      ),
      key: z
        .string({ error: KEY_ERROR })
        .min(1, { error: KEY_ERROR })
        .max(MAX_KEY, { error: KEY_ERROR })
        .optional()
        .describe('At most one job of the name waits with this key.'),
      attempts: whole(1, MAX_ATTEMPTS, ATTEMPTS, `Should be a number from 1 to ${MAX_ATTEMPTS}`).describe(
        'Attempts before it is given up, 1 to 20. Default 5.',
      ),
      data: jobData().describe('What the handler gets: JSON of at most 64 kB. Default `{}`.'),
    }),
  results: () =>
    z
      .object({ job_id: z.number(), queued: z.boolean() })
      .describe('`job_id`; `queued` is false if a job with the key waits already, which is then due no later.'),
  async run(stage, context, { request }) {
    const fields = CHOSEN_BY_CODE.filter((field) => request.isBrought(field));
    if (fields.length > 0) {
      const validation = Object.fromEntries(
        fields.map((field) => [field, 'Cannot come with a request: set it in code']),
      );
      return rejectValues(validation);
    }
    const { id, isNew } = await enqueueJob(context.services, { ...stage, key: stage.key });
    if (isNew) warnUnhandled(context, stage.name, id);
    return { job_id: id, queued: isNew };
  },
});
