import { readMessage, TreadleError } from '../../core/errors.ts';
import type { App, JobHandler } from '../app.ts';
import { type Cron, compileCron } from '../cron.ts';
import type { Draft } from '../draft.ts';
import type { JobOptions } from '../job.ts';
import type { Emit } from './typed-emit.ts';

type OwnWork = Pick<App, 'job' | 'queue' | 'schedule' | 'onClose' | 'helper'>;

export interface OwnWorkOptions {
  readonly draft: Draft;
  readonly emit: Emit;
  readonly place: () => string | undefined;
  readonly app: () => App;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/;
const HELPER_NAME = /^[A-Za-z][\w-]*$/;
const SECONDS = 900;
const MAX_SECONDS = 86_400;

function checkJob(
  draft: Draft,
  name: string,
  handler: unknown,
  { seconds = SECONDS }: JobOptions,
): asserts handler is JobHandler {
  draft.checkOpen(`The job "${name}"`);
  if (typeof name !== 'string' || !NAME.test(name))
    throw new TreadleError('JOB_NAME_INVALID', `"${String(name)}" is not a name of a job.`, {
      hint: 'Use letters, digits and . _ : / - inside, at most 100 characters, such as "ticket-reminder".',
    });
  if (typeof handler !== 'function')
    throw new TreadleError('JOB_HANDLER_INVALID', `The handler of the job "${name}" is not a function.`, {
      hint: 'Pass a function: app.job(name, async ({ data }) => { … }).',
    });
  if (!(Number.isFinite(seconds) && seconds >= 1 && seconds <= MAX_SECONDS))
    throw new TreadleError('JOB_SECONDS_INVALID', `The job "${name}" cannot run for ${String(seconds)} seconds.`, {
      hint: `Give a number from 1 to ${MAX_SECONDS}.`,
    });
  const other = draft.jobs.find((job) => job.name === name);
  if (other === undefined) return;
  const at = other.place === undefined ? '' : `, at ${other.place}`;
  throw new TreadleError('JOB_TWICE', `There is a job "${name}" already${at}.`, { hint: 'Rename one of the two.' });
}

function toCron(name: string, text: string): Cron {
  const hint = 'Write five parts in UTC: minute hour day month weekday, such as "0 * * * *" for every hour.';
  try {
    const cron = compileCron(text);
    if (cron.next(Date.now()) !== undefined) return cron;
  } catch (error) {
    const reason = readMessage(error).replace(/^CronPattern: |\.$/g, '');
    throw new TreadleError('JOB_CRON_INVALID', `The schedule "${name}" has no valid cron pattern: ${reason}.`, {
      hint,
    });
  }
  throw new TreadleError('JOB_CRON_INVALID', `The schedule "${name}" never falls due: "${text}".`, { hint });
}

/** What a project's code does beside requests, as part of its {@link App}. */
export function createOwnWork({ draft, emit, place, app }: OwnWorkOptions): OwnWork {
  const add = (name: string, handler: unknown, options: JobOptions, cron?: () => Cron): App => {
    checkJob(draft, name, handler, options);

    const { seconds = SECONDS } = options;
    draft.jobs.push({
      name,
      seconds,
      cron: cron?.(),
      place: place(),
      run: (given) => handler({ ...given, app: app() }),
    });
    return app();
  };
  return {
    job: (name, handler, options = {}) => add(name, handler, options),
    schedule: (name, cron, handler, options = {}) => add(name, handler, options, () => toCron(name, String(cron))),
    async queue(name, data = {}, options = {}) {
      const { delay, key, attempts } = options;
      const given = Object.entries({ delay, key, attempts }).filter(([, value]) => value !== undefined);
      const response = await emit('job-queue', { name, data, ...Object.fromEntries(given) });
      if (!response.isError()) return Number(response.getResults('job_id'));
      throw new TreadleError('JOB_REFUSED', `The job "${name}" was not queued: ${response.getMessage()}`, {
        status: response.getStatus() ?? 422,
      });
    },
    helper(name, fn) {
      draft.checkOpen(`The helper "${name}"`);
      if (!HELPER_NAME.test(name)) {
        throw new TreadleError('PLAN_HELPER_NAME', `"${name}" is not a name of a helper.`, {
          hint: 'Begin with a letter; use letters, digits, "-" and "_".',
        });
      }
      draft.helpers.set(name, fn);
      return app();
    },
    onClose(close) {
      draft.life?.onClose(close);
      return app();
    },
  };
}
