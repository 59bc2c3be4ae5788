import { translate } from '../../core/text/translate.ts';
import type { Row } from '../../database/row-statement.ts';
import { findRoundedNumber } from '../../model/field/exact-number.ts';
import { readResults } from '../../page/emit-event.ts';
import { createRoute, type Exchange, flash } from '../../page/exchange.ts';
import { showPage } from '../../page/frame.ts';
import { emitAndLead, readText } from '../../page/list-page.ts';
import { findBadge, renderOwnList } from '../../page/own-list.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';

const BASE = '/admin/job';
const SEARCH = `${BASE}/search`;

/** What may be done with a job: a running one cannot be touched, and the data of a done one is gone. */
const findRetry = ({ state }: Row): string | undefined => {
  if (state === 'waiting') return translate('Run now');
  return state === 'failed' || state === 'unhandled' ? translate('Try again') : undefined;
};

const toAttempts = ({ attempts, most_attempts: most }: Row): string =>
  translate('{count} of {most}', { count: attempts, most });

async function showJobs(context: Context, exchange: Exchange): Promise<void> {
  const own = context.plan.jobs.map(({ name }) => name).sort();
  const chosen = readText(exchange.request.getGet('name'));
  const names = [...new Set([...own, ...(chosen === '' ? [] : [chosen])])];
  const list = await renderOwnList(context, exchange, {
    table: 'job',
    path: SEARCH,
    title: translate('Jobs'),
    options: { name: names.map((name) => ({ key: name, value: name })) },
    cells: {
      name: ({ name, job_id: id, reason }) => ({ text: name, note: id, href: `${BASE}/detail/${id}`, hint: reason }),
      attempts: (row) => ({ text: toAttempts(row) }),
      due: ({ state, due }) => ({ isTime: true, at: state === 'waiting' ? due : undefined }),
    },
    action(row) {
      const label = findRetry(row);
      return label === undefined
        ? undefined
        : { path: `${BASE}/retry/${row.job_id}`, label, row: `${row.name} ${row.job_id}` };
    },
    empty: [
      translate('There are no jobs. Code queues them with app.queue, and schedules do.'),
      translate('No job matches.'),
    ],
  });
  if (list === undefined) return;
  const { schedules } = list.results;
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('Jobs'),
    template: 'admin/run/job-search',
    data: { list: list.html, schedules, own },
  });
}

async function showJob(context: Context, exchange: Exchange): Promise<void> {
  const id = exchange.request.getParameters('job_id');
  const job = await readResults(context, 'job-detail', { job_id: id });
  // Without a page the answer is 404.
  if (job === undefined) return;
  showPage(context, exchange, {
    frame: 'admin',
    title: `${job.name} ${job.job_id}`,
    template: 'admin/run/job-detail',
    crumbs: [{ label: translate('Jobs'), path: SEARCH }],
    data: {
      job,
      badge: findBadge(context, 'job', job.state),
      attempts: toAttempts(job),
      retry: findRetry(job),
      data: JSON.stringify(job.data, null, 2),
    },
  });
}

const retryJob = (context: Context, exchange: Exchange): Promise<void> => {
  const id = String(exchange.request.getParameters('job_id'));
  const done = ({ name }: Row): string => translate('The job {id} ({name}) is queued to run now.', { id, name });
  return emitAndLead(context, exchange, {
    event: 'job-retry',
    stage: { job_id: id },
    path: `${BASE}/detail/${id}`,
    done,
  });
};

/** The posted data as JSON; undefined if the text is not JSON, or if a number in it would lose digits. */
function parseData(text: string): { readonly data: unknown } | undefined {
  if (findRoundedNumber(text) !== undefined) return undefined;
  try {
    return { data: text === '' ? {} : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

async function runJob(context: Context, exchange: Exchange): Promise<void> {
  const name = readText(exchange.request.getPost('name'));
  const parsed = parseData(readText(exchange.request.getPost('data')));
  const isKnown = context.plan.jobs.some((job) => job.name === name);
  if (!isKnown || parsed === undefined) {
    const message = isKnown
      ? translate('The data is not JSON. Write it as {example}.', { example: '{"month": 3}' })
      : translate('There is no job "{name}".', { name });
    flash(exchange, message, 'error');
    exchange.response.setRedirect(SEARCH);
    return;
  }
  const done = ({ job_id: id }: Row): string => translate('{name} is queued as job {id}.', { name, id });
  await emitAndLead(context, exchange, { event: 'job-queue', stage: { name, ...parsed }, path: SEARCH, done });
}

/** Pages of the jobs and schedules of the project's code. */
export const jobRoutes: readonly RouteContribution[] = [
  createRoute('GET', SEARCH, 'Lists jobs and schedules in the admin section.', showJobs),
  createRoute('GET', `${BASE}/detail/:job_id`, 'Shows a job in the admin section.', showJob),
  createRoute('POST', `${BASE}/retry/:job_id`, 'Runs a job at once that waits or was given up.', retryJob),
  createRoute('POST', `${BASE}/run`, 'Queues a job of the project by its name.', runJob),
];
