// What is sent: every route by every person, with good, wrong and missing values, in two languages.
import type { Sent } from '../client.ts';
import { PERSONS, type Person } from './_world.ts';

/** A request that is played. Its key names it in the golden file. */
export interface PlayedRequest {
  readonly key: string;
  readonly person: Person;
  readonly method: string;
  readonly path: string;
  readonly sent: Sent;
}

/** Requests that share a fresh site. */
export interface Act {
  readonly name: string;
  readonly requests: readonly PlayedRequest[];
}

type Values = Readonly<Record<string, readonly string[]>>;
const SCHEMAS = ['article', 'thing'];
/** Values of path parameters that exist. */
const GOOD: Values = {
  schema: SCHEMAS,
  schema1: ['thing'],
  schema2: ['label'],
  name: ['article'],
  column: ['thing_name'],
  // Of somebody else, and of Ann.
  thing_id: ['1', '3'],
  action: ['search'],
  '*': ['x'],
};
const DEFINITION: Values = {
  rest: ['user-thing-create'],
  scope: ['all'],
  webhook: ['thing-created'],
  app: ['1'],
  role: ['editor'],
};

function goodValues(path: string, name: string): readonly string[] {
  const kind = /^\/admin\/system\/model\/(rest|scope|webhook|app|role)\//.exec(path)?.[1];
  if (name === 'id' && kind) return DEFINITION[kind] ?? [];
  if (name === 'schema' && kind === 'role') return ['thing'];
  if (name === 'action' && path.startsWith('/admin/user')) return ['disable'];
  return GOOD[name] ?? ['1'];
}

/** The paths of a pattern: every value of its parameters, or `value` for each. */
function fill(pattern: string, value?: string): string[] {
  let paths = [''];
  for (const part of pattern.split(/(:\w+|\*+)/).filter((text) => text !== '')) {
    const name = part.startsWith(':') ? part.slice(1) : part.startsWith('*') ? '*' : undefined;
    const values = name === undefined ? [part] : value === undefined ? goodValues(pattern, name) : [value];
    paths = paths.flatMap((path) => values.map((one) => path + one));
  }
  return paths;
}

/** Words of a search, a list or a page of rows. */
const QUERIES = [
  'q=wool',
  'q=a+b+c+d+e&total=0',
  'filter[thing_kind]=a&sort=-thing_count&limit=2&total=5',
  'filter[thing_count][gte]=6&filter[thing_count][lt]=30&sort=thing_weight',
  'filter[thing_phone]=%2B1+555+3',
  'filter[label.label_word]=red&total=1',
  'fields=thing_id,thing_name,thing_phone&limit=3',
  'expand=label&limit=2',
  'group=thing_kind&count=1&sum=thing_price',
  'start=4&range=3',
  'limit=3&page=2',
  'limit=0',
  'sort=thing_nope',
  'filter[thing_day]=nope',
  'sort=thing_data.a&limit=2',
  'after=nope',
];

/** Routes whose answer is no fixed text: they hold figures of the process, or do not end. */
const LEFT_OUT = /^\/admin\/(events|log|backup)|\/health\/|^\/metrics/;
const LAST = /remove|logout|undo|disable|revoke|stop|session|rotate|refresh|suspend|migration/;

interface Route {
  readonly method: string;
  readonly pattern: string;
}

export function toRoutes(events: readonly string[]): Route[] {
  const found = new Map<string, Route>();
  for (const event of events) {
    const [, method = '', pattern = ''] = /^([A-Z]+) (\/.*)$/.exec(event) ?? [];
    if (pattern !== '' && !LEFT_OUT.test(pattern)) found.set(event, { method, pattern });
  }
  // By name: where a route stands among the others is not what a play is about.
  return [...found.values()].sort((a, b) => (`${a.pattern} ${a.method}` < `${b.pattern} ${b.method}` ? -1 : 1));
}

const toKey = (person: Person, method: string, path: string, more = ''): string =>
  `${method} ${path} ${person}${more === '' ? '' : ` ${more}`}`;

function get(person: Person, path: string, headers: Record<string, string> = {}, more = ''): PlayedRequest {
  return { key: toKey(person, 'GET', path, more), person, method: 'GET', path, sent: { headers } };
}

function listReads(routes: readonly Route[]): PlayedRequest[] {
  const requests: PlayedRequest[] = [];
  for (const { pattern } of routes.filter(({ method }) => method === 'GET')) {
    const good = fill(pattern);
    for (const path of good) {
      for (const person of PERSONS) requests.push(get(person, path));
      for (const person of ['visitor', 'admin'] as const)
        requests.push(get(person, path, { 'accept-language': 'de' }, 'de'));
    }
    if (/[:*]/.test(pattern))
      for (const value of ['999', '%00x'])
        for (const person of ['visitor', 'editor', 'admin'] as const)
          requests.push(get(person, fill(pattern, value)[0] ?? '', {}));
  }
  return requests;
}

const LISTS = [
  '/rest/public/thing/search',
  '/rest/user/thing/search',
  '/admin/system/model/thing/search',
  '/admin/system/model/thing/export',
  '/net/things',
];

function listSearches(): PlayedRequest[] {
  const requests: PlayedRequest[] = [];
  for (const query of QUERIES)
    for (const path of LISTS) for (const person of PERSONS) requests.push(get(person, `${path}?${query}`));
  for (const person of PERSONS)
    for (const id of [1, 2, 3, 12, 'code-4'])
      for (const access of ['public', 'user', 'public/app'])
        requests.push(get(person, `/rest/${access}/thing/detail/${id}`));
  return requests;
}

/** Reads a second time with what the first gave: cached answers, and conditional ones. */
function listAgain(requests: readonly PlayedRequest[]): PlayedRequest[] {
  return requests.filter((_, index) => index % 7 === 0).map((request) => ({ ...request, key: `${request.key} again` }));
}

const THING = { thing_name: 'Fresh', thing_count: 4, thing_kind: 'a', thing_phone: '+1', thing_weight: 0.1 };
/** Bodies that a call takes, by the end of its path, and one that it refuses. */
const BODIES: readonly (readonly [RegExp, readonly object[]])[] = [
  [
    /thing\/create$/,
    [
      THING,
      { ...THING, thing_name: 'Followed' },
      { ...THING, thing_price: 2.5 },
      { thing_name: '' },
      { thing_nope: 1 },
    ],
  ],
  [
    /thing\/update\/[13]$/,
    [{ thing_name: 'Changed' }, { thing_count: 'x' }, { thing_weight: 0.1 }, { thing_price: 1 }],
  ],
  [/label\/create$/, [{ label_word: 'new', label_level: 2 }, { label_word: 'stop' }, { label_level: 'x' }]],
  [/label\/update\/1$/, [{ label_word: 'rose' }, { label_level: 9 }]],
  [
    /comment\/create$/,
    [
      { comment_detail: 'Well', article_id: 1 },
      { article_id: 999, comment_detail: 'No' },
    ],
  ],
  [/comment\/update\/1$/, [{ comment_detail: 'Better' }]],
];
const FORMS: readonly (readonly [RegExp, readonly Readonly<Record<string, string>>[]])[] = [
  [/model\/thing\/(create|update\/1|copy\/1)$/, [{ thing_name: 'By form', thing_count: '5', thing_kind: 'a' }]],
  [/model\/article\/(create|update\/1)$/, [{ article_title: 'By form', article_detail: '<p>x</p>' }]],
  [/^\/article\/1$/, [{ comment_detail: 'A comment' }]],
  [/^\/auth\/login$/, [{ auth_slug: 'ann@example.org', auth_password: 'wrong' }]],
  [/^\/auth\/signup$/, [{ profile_name: 'New', auth_slug: 'new@example.org', auth_password: 'short' }]],
  [/^\/auth\/forgot$/, [{ auth_slug: 'ann@example.org' }, { auth_slug: 'nobody@example.org' }]],
  [/model\/thing\/search$/, [{ action: 'remove', 'ids[]': '5' }, { action: 'nope' }]],
];

function post(person: Person, method: string, path: string, sent: Sent, more: string): PlayedRequest {
  const headers = { 'sec-fetch-site': 'same-origin', ...sent.headers };
  return { key: toKey(person, method, path, more), person, method, path, sent: { ...sent, headers } };
}

function listWrites(routes: readonly Route[]): PlayedRequest[] {
  const requests: PlayedRequest[] = [];
  const unsafe = routes.filter(({ method }) => method !== 'GET' && method !== 'ALL');
  const ordered = [
    ...unsafe.filter(({ pattern }) => !LAST.test(pattern)),
    ...unsafe.filter(({ pattern }) => LAST.test(pattern)),
  ];
  for (const { method, pattern } of ordered)
    for (const path of [...fill(pattern), ...(/[:*]/.test(pattern) ? fill(pattern, '999').slice(0, 1) : [])]) {
      const bodies = BODIES.find(([end]) => end.test(path))?.[1] ?? [];
      const forms = FORMS.find(([end]) => end.test(path))?.[1] ?? [];
      for (const person of PERSONS) {
        for (const [index, json] of bodies.entries())
          requests.push(post(person, method, path, { json }, `json ${index}`));
        for (const [index, form] of forms.entries())
          requests.push(post(person, method, path, { form }, `form ${index}`));
        requests.push(post(person, method, path, { form: {} }, 'nothing'));
      }
      requests.push(post('admin', method, path, { form: {}, headers: { 'sec-fetch-site': 'cross-site' } }, 'cross'));
    }
  return requests;
}

const PARTS: readonly (readonly [string, RegExp])[] = [
  ['definitions', /^\/admin\/system\/(schema|fieldset|settings|model\/(rest|scope|webhook|app|role)\/)/],
  ['admin', /^\/admin/],
  ['accounts', /^\/(auth|oauth|dialog|developer|rest\/access)/],
  ['data', /^/],
];

/** Everything that is played, as acts on fresh sites. */
export function listActs(events: readonly string[]): Act[] {
  const routes = toRoutes(events);
  const reads = listReads(routes);
  const searches = listSearches();
  const partOf = (pattern: string) => PARTS.find(([, start]) => start.test(pattern))?.[0];
  return [
    { name: 'reads', requests: [...reads, ...listAgain(reads)] },
    { name: 'searches', requests: [...searches, ...listAgain(searches), ...listAgain([...searches].reverse())] },
    ...PARTS.map(([name]) => ({
      name: `writes: ${name}`,
      requests: listWrites(routes.filter(({ pattern }) => partOf(pattern) === name)),
    })),
  ];
}
