import { translate } from '../../core/text/translate.ts';
import type { Row } from '../../database/row-statement.ts';
import { findRoundedNumber } from '../../model/field/exact-number.ts';
import { readList, readResults } from '../../page/ask.ts';
import { flash, type Pair, toRoute } from '../../page/exchange.ts';
import { act, createPageLinks, readQuery, readText, showPage, toChoices } from '../../page/list-page.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';

const BASE = '/admin/job';
const SEARCH = `${BASE}/search`;
const ROWS = 50;

const STATES: readonly (readonly [string, string])[] = [
  ['waiting', 'Waiting'],
  ['running', 'Running'],
  ['failed', 'Given up'],
  ['unhandled', 'Without a handler'],
  ['done', 'Done'],
  ['replaced', 'Replaced'],
];
const TONES: Readonly<Record<string, string>> = {
  running: 't-badge-info',
  failed: 't-badge-danger',
  unhandled: 't-badge-warning',
  done: 't-badge-success',
};

function toView(row: Row): Row {
  const state = String(row.state);
  const label = STATES.find(([value]) => value === state)?.[1] ?? state;
  const isOver = state === 'done' || state === 'replaced';
  return {
    ...row,
    badge: { label: translate(label), tone: TONES[state] ?? '' },
    isWaiting: state === 'waiting',
    // A running job cannot be touched, and the data of a done one is gone.
    canRetry: !isOver && state !== 'running',
    retry: state === 'waiting' ? translate('Run now') : translate('Try again'),
  };
}

async function showJobs(context: Context, pair: Pair): Promise<void> {
  const filter = readQuery(pair, ['state', 'name', 'before']);
  const { rows, next, results, message } = await readList(context, 'job-search', { ...filter, limit: ROWS });
  const names = context.plan.jobs.map(({ name }) => name).sort();
  const known = [...new Set([...names, ...(filter.name === undefined ? [] : [filter.name])])];
  showPage(context, pair, {
    title: translate('Jobs'),
    name: 'job-search',
    data: {
      message,
      jobs: rows.map(toView),
      schedules: results.schedules,
      hasJobs: names.length > 0,
      states: toChoices(STATES, filter.state),
      names: known.map((name) => ({ value: name, label: name, isChosen: name === filter.name })),
      own: names,
      isFiltered: Object.keys(filter).length > 0,
      isLater: filter.before !== undefined,
      older: createPageLinks(SEARCH, filter, next),
    },
  });
}

async function showJob(context: Context, pair: Pair): Promise<void> {
  const id = pair.request.getParameters('job_id');
  const job = await readResults(context, 'job-detail', { job_id: id });
  // Without a page the answer is 404.
  if (job === undefined) return;
  showPage(context, pair, {
    title: `${job.name} ${job.job_id}`,
    name: 'job-detail',
    crumbs: [{ label: translate('Jobs'), path: SEARCH }],
    data: { job: toView(job), data: JSON.stringify(job.data, null, 2) },
  });
}

const retryJob = (context: Context, pair: Pair): Promise<void> => {
  const id = String(pair.request.getParameters('job_id'));
  const done = ({ name }: Row): string => translate('The job {id} ({name}) is queued to run now.', { id, name });
  return act(context, pair, { event: 'job-retry', stage: { job_id: id }, path: `${BASE}/detail/${id}`, done });
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

async function runJob(context: Context, pair: Pair): Promise<void> {
  const name = readText(pair.request.getPost('name'));
  const parsed = parseData(readText(pair.request.getPost('data')));
  const isKnown = context.plan.jobs.some((job) => job.name === name);
  if (!isKnown || parsed === undefined) {
    const message = isKnown
      ? translate('The data is not JSON. Write it as {example}.', { example: '{"month": 3}' })
      : translate('There is no job "{name}".', { name });
    flash(pair, message, 'error');
    pair.response.setRedirect(SEARCH);
    return;
  }
  const done = ({ job_id: id }: Row): string => translate('{name} is queued as job {id}.', { name, id });
  await act(context, pair, { event: 'job-queue', stage: { name, ...parsed }, path: SEARCH, done });
}

/** Pages of the jobs and schedules of the project's code. */
export const jobRoutes: readonly RouteContribution[] = [
  toRoute('GET', SEARCH, 'Lists jobs and schedules in the admin section.', showJobs),
  toRoute('GET', `${BASE}/detail/:job_id`, 'Shows a job in the admin section.', showJob),
  toRoute('POST', `${BASE}/retry/:job_id`, 'Runs a job at once that waits or was given up.', retryJob),
  toRoute('POST', `${BASE}/run`, 'Queues a job of the project by its name.', runJob),
];
