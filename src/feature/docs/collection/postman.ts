import type { Json } from '../../../model/json/value-schema.ts';
import { type Collection, type CollectionRequest, listVersions } from './request.ts';

const HOW = `Set baseUrl, and clientId, clientSecret and accessToken where calls need them. Run the requests in their order: a
create keeps the id of its row for those after it, and the last folder removes the rows. Each test says what a right answer is.`;

const AUTH = {
  public: { type: 'noauth' },
  app: {
    type: 'basic',
    basic: [
      { key: 'username', value: '{{clientId}}', type: 'string' },
      { key: 'password', value: '{{clientSecret}}', type: 'string' },
    ],
  },
  user: { type: 'bearer', bearer: [{ key: 'token', value: '{{accessToken}}', type: 'string' }] },
} as const;

const toHeader = (key: string, value: string): Json => ({ key, value });

function listHeaders({ method, body, needsVersion, version }: CollectionRequest): Json[] {
  return [
    toHeader('Accept', 'application/json'),
    ...(body === undefined ? [] : [toHeader('Content-Type', 'application/json')]),
    ...(method === 'get' ? [] : [toHeader('Idempotency-Key', '{{$guid}}')]),
    ...(needsVersion ? [toHeader('If-Match', `{{${version}}}`)] : []),
  ];
}

function toUrl({ path, query }: CollectionRequest): Json {
  const sent = query.filter(({ isSent }) => isSent);
  const tail = sent.map(({ name, value }) => `${name}=${value}`).join('&');
  return {
    raw: `{{baseUrl}}${path}${tail === '' ? '' : `?${tail}`}`,
    host: ['{{baseUrl}}'],
    path: path.split('/').slice(1),
    ...(query.length === 0
      ? {}
      : {
          query: query.map(({ name, value, description, isSent }) => ({
            key: name,
            value,
            description,
            ...(isSent ? {} : { disabled: true }),
          })),
        }),
  };
}

/** The test of a request, and what it keeps of the answer. */
function toScript({ refusals, stored, version }: CollectionRequest, versions: ReadonlySet<string>): string[] {
  const allowed = refusals.map(({ status }) => status);
  const name = ['2xx', ...refusals.map(({ status, reason }) => `${status}: ${reason}`)].join(', or ');
  const isRead = stored?.from === 'rows';
  const row = isRead ? 'results.rows && results.rows[0]' : 'results';
  return [
    'const status = pm.response.code;',
    'const isSuccess = status >= 200 && status < 300;',
    `pm.test(${JSON.stringify(name)}, () => pm.expect(isSuccess || ${JSON.stringify(allowed)}.includes(status), pm.response.text()).to.equal(true));`,
    ...(stored
      ? [
          'if (isSuccess && status !== 204) {',
          '  const { results = {} } = pm.response.json();',
          `  const row = ${row};`,
          `  if (row) pm.collectionVariables.set('${stored.variable}', row['${stored.column}']);`,
          '}',
        ]
      : []),
    ...(version !== undefined && versions.has(version)
      ? [
          `if (pm.response.headers.has('ETag')) pm.collectionVariables.set('${version}', pm.response.headers.get('ETag'));`,
        ]
      : []),
  ];
}

function toItem(request: CollectionRequest, versions: ReadonlySet<string>): Json {
  const { title, description, method, body, access, call, file } = request;
  const bodies =
    file !== undefined
      ? { body: { mode: 'formdata', formdata: [{ key: file, type: 'file', src: [] }] } }
      : body === undefined
        ? {}
        : { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } };
  return {
    name: `${title} (${call})`,
    request: {
      method: method.toUpperCase(),
      auth: AUTH[access],
      header: listHeaders(request),
      ...bodies,
      url: toUrl(request),
      ...(description === undefined ? {} : { description }),
    },
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: toScript(request, versions) } }],
  };
}

/**
 * The collection of a plan for Postman and newman, which runs as imported once its variables are set.
 *
 * @see https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html
 */
export function toPostman({ title, requests, loose }: Collection, baseUrl: string): Json {
  const versions = listVersions(requests);
  const folders = [...new Set(requests.map(({ isLast, folder }) => (isLast ? '' : folder)))];
  const stored = new Set(requests.flatMap((request) => request.stored?.variable ?? []));
  const free = [...[...stored].filter((name) => !loose.includes(name)).sort(), ...versions].map((key) => ({
    key,
    value: '',
  }));
  const toFolder = (folder: string): Json => ({
    name: folder === '' ? 'Removals' : folder,
    item: requests
      .filter((request) => (request.isLast ? '' : request.folder) === folder)
      .map((request) => toItem(request, versions)),
  });
  return {
    info: {
      name: title,
      description: HOW,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'clientId', value: '' },
      { key: 'clientSecret', value: '', type: 'secret' },
      { key: 'accessToken', value: '', type: 'secret' },
      ...loose.map((key) => ({ key, value: '1' })),
      ...free,
    ],
    item: folders.map(toFolder),
  };
}
