// Also on PostgreSQL: jobs are taken from a table.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Folders, type RunResult, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/job');
test.after(() => folders.remove());

const CODE = `export default function jobs(app) {
  app.job('print', ({ data }) => { if (data.fails) throw new Error('no paper'); globalThis.lentPrinted = data; });
  app.schedule('hourly', '0 * * * *', () => {});
  app.on('queue-lost', async () => { await app.queue('lost', {}); });
}
`;

const root = folders.makeProject('bare');
writeFileSync(join(root, 'app/www/src/controller/jobs.ts'), CODE);
const include = join(root, 'app/www/.treadle.ts');
const text = readFileSync(include, 'utf8').replace('export default [', 'export default [jobs, ');
writeFileSync(include, `import jobs from './src/controller/jobs';\n${text}`);
const at = (...argv: string[]): Promise<RunResult> => run(argv, { cwd: root });

test('a new project has no jobs; the schedule shows its next run', async () => {
  assert.is((await at('migrate')).code, 0);
  const { code, out } = await at('job', 'list');
  assert.is(code, 0);
  assert.match(out, /^No jobs\.\n\nSchedules:\nhourly {2}0 \* \* \* \* {2}next \d{4}-\d\d-\d\d \d\d:00:00 UTC\n$/);
});

test('runs a job here, with data as text or as JSON', async () => {
  const printed = () => (globalThis as { lentPrinted?: unknown }).lentPrinted;
  assert.equal(await at('job', 'run', 'print', 'page=1', 'to.name=Ada'), {
    code: 0,
    out: 'print is done (job 1).\n',
    err: '',
  });
  assert.equal(printed(), { page: '1', to: { name: 'Ada' } });
  assert.is((await at('job', 'run', 'print', '--data', '{"page":2}')).code, 0);
  assert.equal(printed(), { page: 2 });
  assert.is((await at('job', 'run', 'hourly')).code, 0, 'a schedule is a job');
  assert.match((await at('job', 'run', 'print', '--dry-run')).out, 'would run print');
});

test('a job that fails exits with 1 and can be queued again', async () => {
  const failed = await at('job', 'run', 'print', 'fails=1');
  assert.is(failed.code, 1);
  assert.match(failed.out, 'print failed (job 4): no paper');
  const json = await at('job', 'run', 'print', 'fails=1', '--json');
  assert.is(json.code, 1);
  const { error, message, job_id: id, state } = JSON.parse(json.out);
  assert.equal([error, message, id, state], [true, 'no paper', 5, 'failed']);
  const list = await at('job', 'list', '--state', 'failed');
  assert.match(list.out, /^5 {2}print {2}failed [-\d]+ [:\d]+ {2}1 of 1 {2}no paper\n4 /);
  assert.match(list.err, 'treadle job retry 5');
  assert.match((await at('doctor')).out, /advice +jobs +0 queued; 2 failed: treadle job list --state failed/);
  assert.match((await at('job', 'retry', '4', '5', '--dry-run')).out, 'would queue 4 (print)\nwould queue 5 (print)');
  assert.match((await at('job', 'retry', '4')).out, 'queued 4 (print)');
  const left = JSON.parse((await at('job', 'list', '--json', '--limit', '2')).out);
  assert.equal(
    left.rows.map((row: { job_id: number; state: string }) => [row.job_id, row.state]),
    [
      [5, 'failed'],
      [4, 'waiting'],
    ],
  );
  assert.is(left.next, 4);
});

test('what is wrong is named, with the remedy', async () => {
  const faults: [string[], number, RegExp][] = [
    [['run', 'prnt'], 64, /There is no job "prnt"\.\nDid you mean "print"\?/],
    [['run', 'print', 'page'], 64, /"page" is not key=value/],
    [['run', 'print', '--data', '{'], 64, /--data is not JSON/],
    [['run', 'print', 'a=1', '--data', '{}'], 64, /cannot be combined/],
    [['list', '--state', 'failled'], 1, /A job is never failled\. Did you mean "failed"\?/],
    [['list', '--limit', '0'], 64, /--limit can't be "0"/],
    [['retry', '99'], 1, /There is no job 99/],
    [['retry', '1'], 1, /The job 1 is done, and its data is gone/],
  ];
  for (const [argv, code, expected] of faults) {
    const result = await at('job', ...argv);
    assert.is(result.code, code, argv.join(' '));
    assert.match(result.err, expected);
  }
});

test('doctor names jobs that no handler has', async () => {
  assert.match((await at('emit', 'queue-lost')).err, 'job.unhandled: No handler for the job "lost": it waits.');
  assert.match((await at('doctor')).out, /2 queued; 1 failed: .*; no handler for lost\n/);
});

test.run();
