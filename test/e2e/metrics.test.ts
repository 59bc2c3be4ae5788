import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isError } from '../../src/core/errors.ts';
import { boot, type Site } from '../boot.ts';
import { getProgram, Running } from '../cli/_process.ts';
import type { Project } from '../project.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly path?: string;
}

/** A new connection, with any method, path and `Host`. */
function ask(url: string, { method = 'GET', headers = {}, path = '/metrics' }: Asked = {}): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

type Series = Map<string, number>;

const LABELS = '(?:\\{[a-zA-Z_]\\w*="(?:[^"\\\\\\n]|\\\\.)*"(?:,[a-zA-Z_]\\w*="(?:[^"\\\\\\n]|\\\\.)*")*\\})?';
const SAMPLE = new RegExp(`^([a-zA-Z_:][\\w:]*)(${LABELS}) (-?[\\d.e+-]+|NaN|[+-]Inf)$`);

/** Reads the exposition format strictly. @see Prometheus, exposition formats, version 0.0.4 */
function parse(text: string): { series: Series; types: Map<string, string> } {
  const [series, types, helped]: [Series, Map<string, string>, Set<string>] = [new Map(), new Map(), new Set()];
  assert.ok(text.endsWith('\n'), 'the last line ends');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') helped.add(name);
    if (kind === 'TYPE') {
      assert.not(types.has(name), `${name} is there twice`);
      assert.ok(helped.has(name), `${name} has no help`);
      types.set(name, rest);
    }
    if (kind) continue;
    const [, sample = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    assert.is.not(sample, '', `no sample: ${line}`);
    const family = types.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, '');
    assert.ok(types.has(family), `${sample} has no type`);
    assert.not(series.has(sample + labels), `${sample}${labels} is there twice`);
    series.set(sample + labels, Number(value));
  }
  return { series, types };
}

const COUNT = 'http_request_duration_seconds_count';
const countOf = (series: Series, method: string, route: string, status: number): number =>
  series.get(`${COUNT}{method="${method}",route="${route}",status="${status}"}`) ?? 0;

/** A page for every path, a guard before everything, and a file of the same name: none may replace the metrics. */
const GREEDY = `import type { App } from 'treadle';
export default function greedy(app: App) {
  app.all('/**', (_request, response) => { response.setContent('<p>a page for every path</p>'); });
  app.on('GET /metrics', (_request, response) => { response.setRedirect('/auth/login'); }, 1000);
}
`;

function addGreedy(project: Project): void {
  project.addController('greedy', GREEDY);
  project.write('public/metrics.html', 'a file');
}

const open = suite<{ site: Site }>('e2e/metrics on loopback');

open.before(async (world) => {
  world.site = await boot({
    settings: { server: { metrics: 'loopback' } },
    change: addGreedy,
  });
});
open.after(({ site }) => site.close());

open('answers what Prometheus reads, before any page, guard or file of the project', async ({ site }) => {
  const { status, headers, text } = await ask(site.url);
  assert.is(status, 200);
  assert.is(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  assert.is(headers['cache-control'], 'no-store');
  const { series, types } = parse(text);
  for (const name of [
    'http_connections',
    'http_requests_in_flight',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
    'treadle_build_info',
    'treadle_database_connections',
    'treadle_database_reads',
    'treadle_database_reads_ended_total',
    'treadle_database_size_bytes',
    'treadle_history_entries',
    'treadle_history_oldest_seconds',
    'treadle_log_dropped_lines_total',
    'treadle_mail_oldest_waiting_seconds',
    'treadle_mails',
    'treadle_password_hashes',
    'treadle_password_hashes_ended_total',
    'treadle_webhook_jobs',
    'treadle_webhook_oldest_due_seconds',
  ])
    assert.ok(types.has(name), name);
  assert.ok((series.get('treadle_database_size_bytes') ?? 0) > 0);
  assert.ok((series.get('http_connections') ?? 0) > 0);
  assert.ok((series.get('http_connections_most') ?? 0) > 0);
  assert.is(series.get('treadle_database_reads_ended_total{reason="cut"}'), 0);
  for (const state of ['waiting', 'under_way', 'later'])
    assert.is(series.get(`treadle_webhook_jobs{state="${state}"}`), 0);
  for (const [key, value] of series) if (key.startsWith('treadle_metrics_source_up')) assert.is(value, 1, key);
});

open(
  'counts by the pattern of the route, never by the path; hostile methods and paths make no new series',
  async ({ site }) => {
    const before = parse((await ask(site.url)).text).series;
    const listed = (await site.app.emit('system-model-search', { schema: 'article' })).getResults('total');
    assert.is(listed, 0);
    const paths = ['/article/1', '/article/2', '/article/%22%7D%0a%5c', '/ARTICLE/3/', `/article/${'x'.repeat(2000)}`];
    for (const path of paths) await ask(site.url, { path });
    for (let number = 0; number < 30; number += 1) await ask(site.url, { path: `/no/${number}?a=${number}` });
    for (const method of ['PROPFIND', 'M-SEARCH', 'UNLOCK']) await ask(site.url, { method, path: `/x${method}` });
    await ask(site.url, { path: '/favicon.svg' });
    await ask(site.url, { path: '/metrics.html' });
    const { series } = parse((await ask(site.url)).text);
    assert.is(
      countOf(series, 'GET', '/article/:article_id', 404) + countOf(series, 'GET', '/article/:article_id', 200),
      5,
    );
    assert.is(countOf(series, 'GET', '/**', 200), 30);
    assert.is(countOf(series, 'GET', 'static', 200), 2);
    const routes = (of: Series): Set<string> =>
      new Set([...of.keys()].flatMap((key) => (key.startsWith(COUNT) ? [/route="(.*?)"/.exec(key)?.[1] ?? ''] : [])));
    const added = [...routes(series)].filter((route) => !routes(before).has(route));
    assert.equal(added.sort(), ['/**', '/article/:article_id', 'static', 'unmatched'], 'no label from a path');
    assert.not([...series.keys()].some((key) => /PROPFIND|M-SEARCH|UNLOCK/.test(key)));
    assert.ok([...series.keys()].some((key) => key.startsWith(`${COUNT}{method="other"`)));
    const buckets = [...series].filter(([key]) => key.startsWith('http_request_duration_seconds_bucket{le="+Inf"'));
    for (const [key, value] of buckets)
      assert.is(value, series.get(key.replace('_bucket{le="+Inf",', '_count{')), 'the last bucket has all');
  },
);

const STRANGERS: readonly Record<string, string>[] = [
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-real-ip': '127.0.0.1' },
  { forwarded: 'for=127.0.0.1' },
  { via: '1.1 proxy' },
  { 'x-forwarded-proto': 'https' },
  { host: 'metrics.example.org' },
  { host: 'rebind.example.org:80' },
];

for (const headers of STRANGERS)
  open(`refuses who comes with ${JSON.stringify(headers)}`, async ({ site }) => {
    const { status, text } = await ask(site.url, { headers });
    assert.is(status, 403);
    assert.not.match(text, 'process_cpu');
  });

open('HEAD has no body, and nothing but GET and HEAD is taken', async ({ site }) => {
  const head = await ask(site.url, { method: 'HEAD' });
  assert.is(head.status, 200);
  assert.is(head.text, '');
  const posted = await ask(site.url, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } });
  assert.not.match(posted.text, 'process_cpu');
});

open('a reload keeps what was counted; turned off, the path is the project’s own', async ({ site }) => {
  const before = countOf(parse((await ask(site.url)).text).series, 'GET', '/metrics', 200);
  assert.ok(before > 0);
  await site.app.reload();
  assert.ok(countOf(parse((await ask(site.url)).text).series, 'GET', '/metrics', 200) > before);
  site.project.set({ server: { metrics: 'off' } });
  assert.equal((await site.app.reload()).filter(isError), []);
  assert.not.match((await ask(site.url)).text, 'process_cpu');
  site.project.set({ server: { metrics: 'token' } });
  const problems = await site.app.reload();
  assert.ok(
    problems.some(({ code }) => code === 'METRICS_TOKEN_MISSING'),
    'the last good plan goes on serving',
  );
  assert.not.match((await ask(site.url)).text, 'process_cpu');
  site.project.set({ server: { metrics: 'loopback', trustProxy: true } });
  await site.app.reload();
  assert.is((await ask(site.url)).status, 403, 'behind a proxy every connection is from this machine');
});

open.run();

const token = suite('e2e/metrics by token');
const TOKEN = 'a-token.of_16~characters/or+more==';

token('asks for METRICS_TOKEN as a Bearer token', async () => {
  const site = await boot({
    settings: { server: { metrics: 'token' } },
    change: ({ root }) => appendFileSync(join(root, '.env'), `METRICS_TOKEN=${TOKEN}\n`),
  });
  try {
    for (const [authorization, status] of [
      [`Bearer ${TOKEN}`, 200],
      [`bearer  ${TOKEN}`, 200],
      [`Bearer ${TOKEN}x`, 401],
      [`Bearer ${TOKEN.slice(0, -1)}`, 401],
      ['Bearer ', 401],
      [`Basic ${TOKEN}`, 401],
      ['', 401],
    ] as const) {
      const { headers, ...answer } = await ask(site.url, authorization === '' ? {} : { headers: { authorization } });
      assert.is(answer.status, status, authorization);
      if (status === 401) assert.match(headers['www-authenticate'] ?? '', /^Bearer realm="metrics"/);
    }
    const proxied = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '10.1.1.1', host: 'example.org' };
    assert.is((await ask(site.url, { headers: proxied })).status, 200);
  } finally {
    await site.close();
  }
});

for (const [line, code] of [
  ['', 'METRICS_TOKEN_MISSING'],
  ['METRICS_TOKEN=fifteen-letters\n', 'METRICS_TOKEN_MISSING'],
] as const)
  token(`does not start with ${JSON.stringify(line)}`, async () => {
    const failed = await boot({
      settings: { server: { metrics: 'token' } },
      change: ({ root }) => appendFileSync(join(root, '.env'), line),
    }).then(
      (site) => site.close().then(() => undefined),
      (error: { code?: string; problems?: readonly { path: string }[] }) => error,
    );
    assert.ok(failed?.code === code || failed?.problems?.some(({ path }) => path === 'METRICS_TOKEN'), String(failed));
  });

token('off by default: no route exists', async () => {
  const site = await boot();
  try {
    assert.is((await ask(site.url)).status, 404);
    assert.not(site.app.plan.routes.some(({ path }) => path === '/metrics'));
  } finally {
    await site.close();
  }
});

token.run();

const workers = suite('e2e/metrics of workers');

/** Child process ids of a process; Linux only. */
const listChildren = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);

workers('are summed in one answer, whichever of them is asked, and count on where one ends', async () => {
  const site = await boot({ settings: { server: { metrics: 'loopback' } } });
  await site.app.close();
  const server = new Running(getProgram(), ['start', '--port', '0', '--workers', '2'], { cwd: site.root });
  try {
    const url = await server.url();
    const read = async (): Promise<Series> => parse((await ask(url)).text).series;
    let series = await read();
    while (series.get('treadle_workers{state="answering"}') !== 2) series = await read();
    for (let number = 0; number < 20; number += 1) await ask(url, { path: '/health/live' });
    // Connections go to the workers in turn, so both answer.
    for (let number = 0; number < 4; number += 1)
      assert.is(countOf(await read(), 'GET', '/health/live', 200), 20, 'each tells the requests of both');
    assert.is((await read()).get(`treadle_build_info{version="0.1.0",node="${process.versions.node}"}`), 1);
    const [first] = listChildren(server.child.pid as number);
    assert.ok(first !== undefined && first > 1);
    process.kill(first, 'SIGKILL');
    let after = 0;
    for (let tries = 0; tries < 200 && after === 0; tries += 1)
      after = await read().then(
        (found) => countOf(found, 'GET', '/health/live', 200),
        () => 0,
      );
    assert.is(after, 20, 'what a worker counted is kept, so that the sum does not fall');
  } finally {
    await server.kill('SIGTERM');
    await site.close();
  }
});

workers.run();
