import { toStamp } from '../../../core/clock.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { PAGE_LIMIT_ERROR, readPageLimit } from '../../../core/text/page-limit.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { listSchedules } from '../schedule-sql.ts';
import { JOB_STATES, listJobs } from '../sql.ts';
import { toJobView } from '../view.ts';

const toText = (value: unknown): string | undefined =>
  value === undefined || value === '' ? undefined : String(value);

async function search({ services }: Context, request: Request, response: Response): Promise<void> {
  const { state, name, before, limit } = request.getStage() as Row;
  const states = toText(state)?.split(',');
  const wrong = states?.find((each) => !JOB_STATES.some((known) => known === each));
  if (wrong !== undefined) {
    const message = `A job is never ${wrong}. ${toDidYouMean(wrong, JOB_STATES) ?? `States: ${JOB_STATES.join(', ')}.`}`;
    response.refuse({ status: 422, message, validation: { state: message } });
    return;
  }
  const most = readPageLimit(limit);
  if (most === undefined) {
    response.refuse({ status: 422, message: PAGE_LIMIT_ERROR, validation: { limit: PAGE_LIMIT_ERROR } });
    return;
  }
  const filter = { state: states, name: toText(name), before: before === undefined ? undefined : Number(before) };
  const found = await listJobs(services.database, { ...filter, limit: most + 1 });
  const rows = found.slice(0, most).map(toJobView);
  const schedules = (await listSchedules(services.database)).map(({ name: own, cron, nextAt }) => ({
    name: own,
    cron,
    next: toStamp(nextAt * 1000),
  }));
  response.succeed({ rows, next: found.length > most ? (rows.at(-1)?.job_id ?? null) : null, schedules });
}

export const jobSearch: EventContribution = {
  name: 'job-search',
  description: "Lists the jobs of the project's code, the newest first, and when its schedules run next.",
  stage: {
    state: `One of ${JOB_STATES.join(', ')}, or several, separated by commas.`,
    name: 'Name of the job.',
    before: 'Only jobs with a lower id: the next page.',
    limit: 'At most, 1 to 100. Default 50.',
  },
  results: '`rows`; `next`: the id to continue before, or null; `schedules` with `name`, `cron` and `next`.',
  kind: 'silent',
  listen: (context) => (request, response) => search(context, request, response),
};
