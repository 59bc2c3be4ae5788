import { toLocalText, translate } from '../../core/text/translate.ts';
import { fieldKinds } from '../../model/field/field-kind.ts';
import { OPERATOR_NAMES } from '../../model/filter/operator.ts';
import type { SchemaModel } from '../../model/model.ts';
import { toBatchCall } from '../../plan/call/batch.ts';
import { listUploadCalls } from '../../plan/call/upload-call.ts';
import type { Plan } from '../../plan/feature.ts';
import { createBatchSample, listServedBatches } from './batch.ts';
import { toCallFacts } from './call-facts.ts';
import { buildAuthentication } from './guide-authentication.ts';
import type { Links } from './links.ts';
import { type DocPage, type PageData, print } from './page/page.ts';
import { createSampleRequest, toUrl } from './sample/request.ts';
import { toSamples } from './sample/samples.ts';
import type { ParameterFacts } from './search-parameters.ts';
import type { Source } from './source.ts';
import { createSample } from './value.ts';

/** The page to register an app; undefined in static docs without a known base URL. */
function buildRegister({ plan }: Source, links: Links): string | undefined {
  const { baseUrl } = plan.model.settings.server;
  if (links.base !== '' && baseUrl === null) return undefined;
  return `${links.base === '' ? '' : baseUrl}/developer/app/search`;
}

/** The reader's first call: a search without parameters, otherwise any public call that reads. */
function findFirstCall({ calls }: Plan): Plan['calls'][number] | undefined {
  const open = calls.filter(({ definition }) => definition.access === 'public' && definition.method === 'get');
  return open.find(({ definition }) => definition.event === 'system-model-search') ?? open[0];
}

/** The pages of the guide: the overview, and a page for each topic that all calls share. */
export function listGuidePages(source: Source): DocPage[] {
  const { name } = source.plan.model.settings;
  const page = (path: string, title: string, words: string, data: (links: Links) => PageData): DocPage => ({
    path: path === '' ? '' : `guide/${path}`,
    kind: 'guide',
    title: translate(title),
    template: path === '' ? 'overview' : `guide-${path}`,
    words,
    data,
  });
  return [
    page('', 'Overview', `${name} start first call register an app`, (links) => buildOverview(source, links)),
    page(
      'authentication',
      'Authentication',
      'get a token, access token, api key, log in, sign in, credential, oauth authorize dialog code exchange refresh revoke pkce client_id client_secret access_token access_secret bearer header',
      (links) => buildAuthentication(source, links),
    ),
    page('errors', 'Errors', 'failure message debug status problem validation 400 401 403 404 409 422 429', (links) =>
      toErrors(source, links),
    ),
    page(
      'searching',
      'Searching and paging',
      'find query pagination page q filter sort limit offset after before cursor fields expand total link operators',
      (links) => buildSearching(source, links),
    ),
    page(
      'writing',
      'Writing',
      'change delete create update merge patch remove restore batch idempotency-key etag if-match conditional 412 428',
      (links) => buildWriting(source, links),
    ),
    page(
      'limits',
      'Limits and versions',
      'quota throttle too many requests rate limit ratelimit retry-after page size body cors version deprecation time format request id',
      (links) => buildLimits(source, links),
    ),
  ];
}

/** Links within the texts of the guide. */
const toLinks = (links: Links): PageData => ({
  calls: links.page('calls'),
  scopes: links.page('scopes'),
  webhooks: links.page('webhooks'),
  schemas: links.page('schemas'),
  openapi: links.openapi,
  postman: links.postman,
  http: links.http,
  authentication: links.page('guide/authentication'),
  errors: links.page('guide/errors'),
  searching: links.page('guide/searching'),
  writing: links.page('guide/writing'),
  limits: links.page('guide/limits'),
});

function buildOverview(source: Source, links: Links): PageData {
  const { plan, baseUrl } = source;
  const { settings, scopes } = plan.model;
  const first = findFirstCall(plan);
  return {
    siteName: settings.name,
    baseUrl,
    register: buildRegister(source, links),
    ...(first ? toSamples(createSampleRequest(toCallFacts(first, plan), baseUrl)) : {}),
    first: first && { title: toLocalText(first.definition.title), href: links.page(`calls/${first.name}`) },
    isQueryToken: settings.oauth.mode !== 'strict',
    hasConsole: source.server !== undefined,
    counts: { calls: plan.calls.length, scopes: scopes.size, hooks: plan.hooks.length },
    links: toLinks(links),
  };
}

const toErrors = ({ baseUrl }: Source, links: Links): PageData => ({
  links: toLinks(links),
  codes: links.page('errors'),
  problem: print({
    type: `${baseUrl}/developer/docs/errors/VALIDATION_FAILED`,
    title: 'Unprocessable Entity',
    status: 422,
    detail: 'Comment is required',
    code: 'VALIDATION_FAILED',
    docs: `${baseUrl}/developer/docs/errors/VALIDATION_FAILED`,
    error: true,
    message: 'Comment is required',
    validation: { comment_detail: 'Comment is required' },
    errors: [{ pointer: '/comment_detail', rule: 'required', detail: 'Comment is required' }],
  }),
});

/** A condition of a search of the schema, with a value that its column could have. */
function toCondition(
  parameters: readonly ParameterFacts[],
  schema: SchemaModel | undefined,
): [string, string] | undefined {
  for (const { name } of parameters) {
    const column = schema?.byName.get(/^filter\[(\w+)\]$/.exec(name)?.[1] ?? '');
    if (!column) continue;
    const { group } = fieldKinds[column.field.type];
    const sample = createSample(column);
    if (group === 'number') return [`${name}[gte]`, String(sample)];
    if (group === 'date') return [`${name}[gte]`, String(sample)];
    if (typeof sample === 'string') return [name, sample];
  }
  return undefined;
}

/** A search of this API with a condition, an order and a cursor, on existing columns. */
function createSearchExamples({ plan, baseUrl }: Source): PageData[] {
  const call = plan.calls
    .filter(({ definition, schema }) => definition.event === 'system-model-search' && schema !== undefined)
    .sort((a, b) => Number(b.definition.access === 'public') - Number(a.definition.access === 'public'))[0];
  if (!call) return [];
  const { parameters, schema } = toCallFacts(call, plan);
  const address = baseUrl + call.path.replace(/:\w+/g, '1');
  const sort = parameters.find(({ name }) => name === 'sort')?.sample ?? '';
  const condition = toCondition(parameters, schema);
  const hasWords = parameters.some(({ name }) => name === 'q');
  const examples: [string, readonly (readonly [string, string])[]][] = [
    ['Words', hasWords ? [['q', 'two words']] : []],
    ['A condition', condition ? [condition] : []],
    ['An order', sort === '' ? [] : [['sort', sort]]],
    [
      'The second page of ten',
      [
        ['limit', '10'],
        ['offset', '10'],
      ],
    ],
    [
      'Without the count',
      [
        ['limit', '10'],
        ['total', '0'],
      ],
    ],
  ];
  return examples
    .filter(([, query]) => query.length > 0)
    .map(([title, query]) => ({
      title: translate(title),
      plain: query.map(([name, value]) => `${name}=${value}`).join('&'),
      url: toUrl(
        address,
        query.map(([name, value]) => [name, [value]] as const),
      ).join(''),
    }));
}

function buildSearching(source: Source, links: Links): PageData {
  const { limits } = source.plan.model.settings;
  return {
    links: toLinks(links),
    pageRows: limits.pageRows,
    maxPageRows: limits.maxPageRows,
    operators: OPERATOR_NAMES,
    examples: createSearchExamples(source),
  };
}

/** The first call of an event, for a sample. */
function findCall({ calls }: Plan, event: string): Plan['calls'][number] | undefined {
  return calls.find(({ definition }) => definition.event === event);
}

/** A request to a batch: to one whose calls write a row and its child, if there is one. */
function sampleBatch({ plan, baseUrl }: Source): PageData | undefined {
  const samples = listServedBatches(plan).map((batch) => ({ batch, operations: createBatchSample(batch, plan) }));
  const chosen = samples.findLast(({ operations }) => operations.length > 1) ?? samples.at(-1);
  if (chosen === undefined) return undefined;
  const { batch, operations } = chosen;
  const request = createSampleRequest(toCallFacts(toBatchCall(batch), plan), baseUrl);
  return { ...toSamples({ ...request, json: { operations } }), path: batch.path };
}

function buildWriting(source: Source, links: Links): PageData {
  const { plan, baseUrl } = source;
  const sample = (event: string, headers: readonly (readonly [string, readonly [string | { env: string }]])[]) => {
    const call = findCall(plan, event);
    if (!call) return undefined;
    const request = createSampleRequest(toCallFacts(call, plan), baseUrl);
    const set = toSamples({ ...request, headers: [...request.headers, ...headers] });
    return { ...set, title: toLocalText(call.definition.title), href: links.page(`calls/${call.name}`) };
  };
  return {
    links: toLinks(links),
    create: sample('system-model-create', [['Idempotency-Key', [{ env: 'IDEMPOTENCY_KEY' }]]]),
    update: sample('system-model-update', [['If-Match', [{ env: 'ETAG' }]]]),
    batch: sample('system-model-batch', []),
    calls: sampleBatch(source),
    bodyBytes: plan.model.settings.server.bodyBytes,
    uploadBytes: plan.model.settings.server.uploadBytes,
    // That of users, if there is one: it stands last.
    upload: listUploadCalls(plan.calls, plan.model).at(-1)?.path,
  };
}

function buildLimits({ plan }: Source, links: Links): PageData {
  const { limits, server } = plan.model.settings;
  return {
    links: toLinks(links),
    perMinute: limits.perMinute,
    pageRows: limits.pageRows,
    maxPageRows: limits.maxPageRows,
    bodyBytes: server.bodyBytes,
    uploadBytes: server.uploadBytes,
  };
}
