import { getResults, withApplication } from '../application.ts';
import { toCommandLine } from '../complete.ts';
import { type JobView, toJobLines } from '../job/job.ts';
import { type CommandSpec, findNumber, findText } from '../spec.ts';
import { toTable } from '../terminal.ts';

const MAX_LIMIT = 100;

interface JobList {
  readonly rows: readonly JobView[];
  readonly next: number | null;
  readonly schedules: readonly { readonly name: string; readonly cron: string; readonly next: string }[];
}

export const command: CommandSpec = {
  options: [
    {
      name: 'state',
      value: 'state',
      description: 'waiting, running, unhandled, done, failed or replaced; separate several by commas',
    },
    { name: 'name', value: 'name', description: 'only jobs of this name' },
    { name: 'limit', value: 'n', description: 'number of jobs, 1 to 100', default: '50' },
    { name: 'before', value: 'id', description: 'only jobs with a lower id: the next page' },
  ],
  examples: ['treadle job list', 'treadle job list --state failed', 'treadle job list --name reminder --json'],
  run(invocation) {
    const { values } = invocation;
    const stage = {
      state: findText(values, 'state'),
      name: findText(values, 'name'),
      limit: findNumber(values, 'limit', 1, MAX_LIMIT),
      before: findNumber(values, 'before', 1, Number.MAX_SAFE_INTEGER),
    };
    return withApplication(invocation, async (app) => {
      const given = Object.fromEntries(Object.entries(stage).filter(([, value]) => value !== undefined));
      const { rows, next, schedules } = await getResults<JobList>(app, 'job-search', given, { state: '--state' });
      const failed = rows.find(({ state }) => state === 'failed');
      const more = next === null ? [] : [toCommandLine(['job', 'list'], command, { ...values, before: String(next) })];
      const times = toTable(schedules.map(({ name, cron, next: at }) => [name, cron, `next ${at} UTC`]));
      return {
        data: { rows, next, schedules },
        lines: [
          ...(rows.length === 0 ? ['No jobs.'] : toJobLines(app, rows)),
          ...(times.length === 0 ? [] : ['', 'Schedules:', ...times]),
        ],
        next: [...(failed === undefined ? [] : [`treadle job retry ${failed.job_id}`]), ...more],
      };
    });
  },
};
