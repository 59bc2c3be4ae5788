import { getResults, withApplication } from '../application.ts';
import { type CommandSpec, getList } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'ids', description: 'ids of jobs', isRest: true }],
  isWriting: true,
  examples: ['treadle job retry 42', 'treadle job retry 42 43'],
  run(invocation) {
    const ids = getList(invocation.values, 'ids');
    return withApplication(invocation, async (app) => {
      const jobs: { job_id: number; name: string }[] = [];
      // All are looked at first, so that a wrong id changes nothing.
      for (const id of ids) jobs.push(await getResults(app, 'job-detail', { job_id: id }));
      const data = { isDryRun: invocation.isDryRun, jobs: jobs.map(({ job_id, name }) => ({ job_id, name })) };
      const toLines = (word: string) => jobs.map(({ job_id, name }) => `${word} ${job_id} (${name})`);
      if (invocation.isDryRun) return { data, lines: toLines('would queue') };
      for (const { job_id } of jobs) await getResults(app, 'job-retry', { job_id });
      return {
        data,
        lines: [...toLines('queued'), 'The running server runs it; without one, the next that starts.'],
        next: ['treadle job list'],
      };
    });
  },
};
