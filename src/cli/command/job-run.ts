import { toDidYouMean } from '../../core/text/suggest.ts';
import { type Application, getResults, withApplication } from '../application.ts';
import { createUsageError, EXIT, toErrorMembers } from '../failure.ts';
import type { JobView } from '../job/job.ts';
import { refuseRounded } from '../keys/json.ts';
import { type CommandSpec, findText, getList, getText, type Outcome, type Values } from '../spec.ts';
import { parseStage } from '../stage.ts';

/** Seconds for which no server takes the job: the command runs it. */
const RESERVED_SECONDS = 600;

export const command: CommandSpec = {
  arguments: [
    { name: 'name', description: 'name of the job or schedule' },
    { name: 'values', description: 'its data as key=value; a.b=1 for nested values', isOptional: true, isRest: true },
  ],
  options: [{ name: 'data', value: 'json', description: 'its data as JSON, for values other than text' }],
  isWriting: true,
  examples: ['treadle job run reminder', `treadle job run report --data '{"month": 3}'`],
  run(invocation) {
    const name = getText(invocation.values, 'name');
    const data = readData(invocation.values);
    return withApplication(invocation, async (app) => {
      const names = app.plan.jobs.map((job) => job.name);
      if (!names.includes(name)) {
        const hint = toDidYouMean(name, names) ?? 'Add one in the project: app.job(name, handler).';
        throw createUsageError(`There is no job "${name}".`, hint);
      }
      if (invocation.isDryRun) return { data: { isDryRun: true, name, data }, lines: [`would run ${name}`] };
      return runHere(app, name, data);
    });
  },
};

/** @throws CLI_USAGE */
function readData(values: Values): unknown {
  const pairs = getList(values, 'values');
  const json = findText(values, 'data');
  if (json === undefined) return parseStage(pairs);
  if (pairs.length > 0) throw createUsageError('--data and key=value cannot be combined.', 'Write all of it as JSON.');
  refuseRounded(json);
  try {
    return JSON.parse(json);
  } catch {
    throw createUsageError('--data is not JSON.', `Example: --data '{"month": 3}'`);
  }
}

/** Runs the job in this process, once. */
async function runHere(app: Application, name: string, given: unknown): Promise<Outcome> {
  const { runJob } = await import('../../boot.ts');
  const stage = { name, data: given, delay: RESERVED_SECONDS, attempts: 1 };
  const { job_id: id } = await getResults<{ job_id: number }>(app, 'job-queue', stage, { data: '--data' });
  await runJob(app, id);
  const job = await getResults<JobView>(app, 'job-detail', { job_id: id });
  if (job.state === 'done') return { data: { error: false, ...job }, lines: [`${name} is done (job ${id}).`] };
  const why = job.reason ?? `It is ${job.state}.`;
  return {
    data: { ...toErrorMembers('CLI_FAILED'), message: why, ...job },
    lines: [`${name} failed (job ${id}): ${why}`],
    exitCode: EXIT.failed,
  };
}
