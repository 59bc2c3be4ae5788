import type { Files } from '../project.ts';

/** A mistake in a file, which `treadle check` tells. */
export interface FileMistake {
  readonly mistake: string;
  readonly file: string;
  /** What the line that it names has; left out where the whole file or folder is meant. */
  readonly line?: string;
  /** Part of what it says. */
  readonly says: string;
}

const call = (event: string, parameters: object, more: object = {}): object => ({
  title: 'A call',
  access: 'public',
  method: 'get',
  path: `/public/${Math.abs(hash(JSON.stringify([event, parameters, more])))}`,
  event,
  parameters,
  ...more,
});

/** Gives each call a path of its own, always the same. */
function hash(text: string): number {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) | 0;
  return sum;
}

const schema = (name: string, fields: readonly object[], more: object = {}): object => ({
  name,
  singular: 'Thing',
  plural: 'Things',
  fields,
  ...more,
});

const SEARCH = 'system-model-search';

/** Files of one project with all these mistakes at once. */
export const FILES: Files = {
  'config/schema/talk.json': schema('talk', [
    { name: 'title', type: 'text', sortable: true },
    {
      name: 'level',
      type: 'select',
      filterable: true,
      options: [
        { key: 'beginner', value: 'Beginner' },
        { key: 'expert', value: 'Expert' },
      ],
    },
  ]),
  'config/schema/m-string.json': schema('m-string', [{ name: 'a', type: 'string' }]),
  'config/schema/m-boolean.json': schema('m-boolean', [{ name: 'a', type: 'boolean' }]),
  'config/schema/m-key.json': schema('m-key', [{ name: 'a', type: 'text', lable: 'A' }]),
  'config/schema/m-nameless.json': schema('m-nameless', [{ type: 'text' }]),
  'config/schema/m-comma.json':
    '{\n  "name": "m-comma",\n  "singular": "Comma",\n  "plural": "Commas",\n  "fields": [],\n}\n',
  'config/schema/m-file.json': schema('m-flie', [{ name: 'a', type: 'text' }]),
  'config/schema/m-relation.json': schema('m-relation', [{ name: 'a', type: 'text' }], {
    relations: [{ kind: '1:1', schema: 'artcle' }],
  }),
  'config/schema/m-kind.json': schema('m-kind', [{ name: 'a', type: 'text' }], {
    relations: [{ kind: '1:M', schema: 'article' }],
  }),
  'config/schema/m-rule.json': schema('m-rule', [{ name: 'a', type: 'text', validation: [{ method: 'requird' }] }]),
  'config/schema/m-format.json': schema('m-format', [{ name: 'a', type: 'text', list: { format: 'relatve' } }]),
  'config/schema/m-twice.json': schema('m-twice', [
    { name: 'a', type: 'text' },
    { name: 'a', type: 'number' },
  ]),
  'config/schema/m-fieldset.json': schema('m-fieldset', [{ name: 'a', type: 'fieldset', fieldset: 'adress' }]),
  'config/rest/m-event.json': call('system-model-serch', { schema: 'talk' }),
  'config/rest/m-unheard.json': call('talk-of-the-town', {}),
  'config/rest/m-schema.json': call(SEARCH, { schema: 'tlak' }),
  'config/rest/m-filter.json': call(SEARCH, { schema: 'talk', filter: { talk_nope: 1 } }),
  'config/rest/m-option.json': call(SEARCH, { schema: 'talk', filter: { talk_level: 'expret' } }),
  'config/rest/m-sort.json': call(SEARCH, { schema: 'talk', sort: '-talk_titel' }),
  'config/rest/m-parameter.json': call(SEARCH, { schema: 'talk', fitler: { talk_level: 'expert' } }),
  'config/rest/m-column.json': call('system-model-create', { schema: 'talk', talk_levl: 'expert' }, { method: 'post' }),
  'config/rest/m-under-rest.json': call(SEARCH, { schema: 'talk' }, { path: '/rest/public/talk' }),
  'config/rest/m-parameter-twice.json': call(SEARCH, { schema: 'talk' }, { path: '/public/talk/:id/:id' }),
  'config/rest/m-method.json': call(SEARCH, { schema: 'talk' }, { method: 'fetch' }),
  'config/rest/m-access.json': call(SEARCH, { schema: 'talk' }, { access: 'private' }),
  'config/rest/m-same.json': call(SEARCH, { schema: 'talk' }, { path: '/public/article/search' }),
  'config/rest/m-own.json': call(SEARCH, { schema: 'talk' }, { access: 'user' }),
  'config/rest/m-slash.json': call(SEARCH, { schema: 'talk' }, { path: 'public/noslash' }),
  'config/scope/m_scope.json': { slug: 'm_scope', name: 'M', access: 'user', calls: ['public-artcle-search'] },
  'config/webhook/m-hook-event.json': {
    title: 'H',
    event: 'system-model-updat',
    parameters: { schema: 'talk' },
    type: 'talk.made',
    url: 'https://example.org/a',
  },
  'config/webhook/m-hook-filter.json': {
    title: 'H',
    event: 'system-model-create',
    parameters: { schema: 'talk' },
    type: 'talk.made',
    filter: { talk_levl: 'expert' },
    url: 'https://example.org/a',
  },
  'config/webhook/m-hook-option.json': {
    title: 'H',
    event: 'system-model-create',
    parameters: { schema: 'talk' },
    type: 'talk.made',
    filter: { talk_level: ['expret'] },
    url: 'https://example.org/a',
  },
  'config/webhook/m-hook-url.json': {
    title: 'H',
    event: 'system-model-create',
    parameters: { schema: 'talk' },
    type: 'talk.made',
    url: 'example.org/hook',
  },
  'config/role/m-path.json': { slug: 'm-path', name: 'M', permissions: [{ method: 'post', path: '/artcles' }] },
  'config/role/m-data.json': { slug: 'm-data', name: 'M', permissions: [], data: { tlak: { search: true } } },
  'config/notes.json': {},
  'config/shema/x.json': {},
  'app/www/.treadle.ts': [
    "import template from './src/bootstrap/template';",
    "import article from './src/controller/article';",
    "import statics from './src/controller/static';",
    "import wrong from './src/controller/wrong';",
    "import events from './src/events';",
    'export default [template, statics, article, wrong, events];',
  ].join('\n'),
  'app/www/src/controller/wrong.ts': [
    "import * as other from './static';",
    'export default function wrong(app) {',
    "  app.get('/priority', (request, response) => response.setContent('x'), 10);",
    "  app.get('nopath', () => {});",
    "  app.get('/x/:id/:id', () => {});",
    "  app.get('/undefined', other.nothing);",
    "  app.get('/**', (request, response) => response.setContent('all'));",
    "  app.get('/rest/stats', () => {});",
    "  app.get('/named', 'www-render-pgae');",
    "  app.get(() => {}, '/swapped');",
    "  app.route('/x', 'get', () => {});",
    "  app.route('gett', '/gett', () => {});",
    "  app.get('/users/{id}', () => {});",
    "  app.get('/find?q=1', () => {});",
    "  app.get('/empty');",
    "  app.on('system-model-creat', () => {});",
    "  app.on('get /lower', () => {});",
    "  app.on('system-model-create', undefined);",
    "  app.rest({ access: 'publik', method: 'get', path: '/public/greeting' }, () => {});",
    "  app.rest({ access: 'public', method: 'get', path: '/rest/public/greeting' }, () => {});",
    "  app.rest({ access: 'public', method: 'get', path: '/public/query', body: { type: 'object' } }, () => {});",
    "  app.post('/emit', async (request, response) => {",
    "    request.setStage('schema', 'artcle');",
    "    await app.emit('system-model-serch', request, response);",
    "    await app.emit('system-model-search', { schema: 'tlak' });",
    "    await app.reroute('post', '/artcles/list', request, response);",
    '  });',
    '}',
  ].join('\n'),
  'app/second/.treadle.ts': "import part from './src/parts';\nexport default part;\n",
  'app/third/src/a.ts': 'export default () => {};\n',
  'app/fourth/.treadle.ts': 'export default function fourth(app) {\n  app.gett("/x", () => {});\n}\n',
  'app/fifth/.treadle.ts': 'export default function fifth(app) {\n  if (app {\n}\n',
  'app/www/src/template/open.html': '<p>a</p>\n{{#if a}}\n',
  'app/www/src/template/helper.html': '<p>\n{{relatve created}}\n</p>\n{{upercase title "x"}}\n',
};

const CONTROLLER = 'app/www/src/controller/wrong.ts';
const code = (mistake: string, line: string, says: string): FileMistake => ({ mistake, file: CONTROLLER, line, says });
const file = (mistake: string, name: string, line: string | undefined, says: string): FileMistake => ({
  mistake,
  file: name,
  ...(line === undefined ? {} : { line }),
  says,
});

export const IN_FILES: readonly FileMistake[] = [
  file('a type as SQL calls it', 'config/schema/m-string.json', '"type": "string"', 'Did you mean "text"?'),
  file(
    'a type as TypeScript calls it',
    'config/schema/m-boolean.json',
    '"type": "boolean"',
    'Did you mean "checkbox"?',
  ),
  file('a mistyped key', 'config/schema/m-key.json', '"lable"', 'Did you mean "label"?'),
  file('a field without a name', 'config/schema/m-nameless.json', '{', '"name" is missing'),
  file('a comma too many', 'config/schema/m-comma.json', '"fields": []', 'This is not JSON'),
  file(
    'a name that differs from the file',
    'config/schema/m-file.json',
    '"name": "m-flie"',
    'The file is named "m-file"',
  ),
  file('a relation to no schema', 'config/schema/m-relation.json', '"schema": "artcle"', 'Did you mean "article"?'),
  file('a kind of relation that is none', 'config/schema/m-kind.json', '"kind": "1:M"', 'Did you mean "1:N"?'),
  file('a mistyped rule', 'config/schema/m-rule.json', '"method": "requird"', 'Did you mean "required"?'),
  file('a mistyped format', 'config/schema/m-format.json', '"format": "relatve"', 'Did you mean "relative"?'),
  file('a field twice', 'config/schema/m-twice.json', '"name": "a"', 'Two fields are named "a"'),
  file('a group of fields that does not exist', 'config/schema/m-fieldset.json', '"fieldset": "adress"', 'adress'),
  file('a call on a mistyped event', 'config/rest/m-event.json', '"event"', 'Did you mean "system-model-search"?'),
  file(
    'a call on an event that nobody hears',
    'config/rest/m-unheard.json',
    '"event"',
    'Nothing listens to "talk-of-the-town"',
  ),
  file('a call on no schema', 'config/rest/m-schema.json', '"schema": "tlak"', 'Did you mean "talk"?'),
  file(
    'a fixed filter on no column',
    'config/rest/m-filter.json',
    '"talk_nope"',
    '"talk_nope" is not a column of talk',
  ),
  file('a fixed filter on no option', 'config/rest/m-option.json', '"talk_level"', 'Did you mean "expert"?'),
  file('a fixed order by no column', 'config/rest/m-sort.json', '"sort"', 'Did you mean "talk_title"?'),
  file('a mistyped fixed parameter', 'config/rest/m-parameter.json', '"fitler"', 'Did you mean "filter"?'),
  file('a fixed value for no column', 'config/rest/m-column.json', '"talk_levl"', 'Did you mean "talk_level"?'),
  file('a call under /rest/rest', 'config/rest/m-under-rest.json', '"path"', 'Write "/public/talk".'),
  file("a call's parameter twice", 'config/rest/m-parameter-twice.json', '"path"', '":id" twice'),
  file('a call by a method that is none', 'config/rest/m-method.json', '"method": "fetch"', '"method" must be one of'),
  file('a call with an access that is none', 'config/rest/m-access.json', '"access": "private"', 'public, app, user'),
  file('two calls at one path', 'config/rest/public-article-search.json', '"path"', 'Two calls answer get'),
  file('a user call on rows of nobody', 'config/rest/m-own.json', '"access"', 'treadle relation add talk 1:1 profile'),
  file("a call's path without a slash", 'config/rest/m-slash.json', '"path"', '"/"'),
  file(
    'a scope with a mistyped call',
    'config/scope/m_scope.json',
    'public-artcle-search',
    'Did you mean "public-article-search"?',
  ),
  file(
    'a web hook on a mistyped event',
    'config/webhook/m-hook-event.json',
    '"event"',
    'Did you mean "system-model-update"?',
  ),
  file(
    'a web hook with a filter on no column',
    'config/webhook/m-hook-filter.json',
    '"talk_levl"',
    'Did you mean "talk_level"?',
  ),
  file('a web hook for no option', 'config/webhook/m-hook-option.json', '"talk_level"', 'has no option "expret"'),
  file('a web hook to no URL', 'config/webhook/m-hook-url.json', '"url"', 'http or https'),
  file('a role for a path that is not there', 'config/role/m-path.json', '"/artcles"', 'Did you mean "/articles"?'),
  file('a role for a schema that is not there', 'config/role/m-data.json', '"tlak"', 'talk'),
  file('a file that nothing reads', 'config/notes.json', undefined, 'Nothing reads config/notes.json'),
  file('a folder that nothing reads', 'config/shema', undefined, 'Did you mean "schema"?'),
  code('a priority in app.get', "app.get('/priority'", "app.route('get', '/priority', listener, 10)"),
  code('a route without a slash', "app.get('nopath'", 'Write "/nopath".'),
  code("a route's parameter twice", "app.get('/x/:id/:id'", '":id" twice'),
  code('a handler that is undefined', "app.get('/undefined'", 'is undefined, so it is left out'),
  code('a page for every path', "app.get('/**'", "answers before Treadle's"),
  code('a page under /rest', "app.get('/rest/stats'", 'app.rest('),
  code('a route to a mistyped event', "app.get('/named'", 'Did you mean "www-render-page"?'),
  code('path and handler swapped', 'app.get(() => {}', 'wrong order'),
  code('method and path swapped', "app.route('/x'", 'wrong order'),
  code('a mistyped method', "app.route('gett'", 'Did you mean "get"?'),
  code('a parameter in braces', "app.get('/users/{id}'", '/:id'),
  code('a query in a route', "app.get('/find?q=1'", 'Write "/find"'),
  code('a route without a handler', "app.get('/empty')", 'is undefined'),
  code('a listener to a mistyped event', "app.on('system-model-creat'", 'Did you mean "system-model-create"?'),
  code('a method in small letters', "app.on('get /lower'", 'Write "GET /lower".'),
  code('a listener that is undefined', "app.on('system-model-create', undefined", 'is undefined'),
  code('a hand-written call with a mistyped access', "access: 'publik'", 'Did you mean "public"?'),
  code('a hand-written call under /rest/rest', "path: '/rest/public/greeting'", 'Write "/public/greeting".'),
  code('a body of a GET', "path: '/public/query'", 'a GET has none'),
  code('a mistyped schema in a stage', "setStage('schema', 'artcle')", 'Did you mean "article"?'),
  code('an emit of a mistyped event', "emit('system-model-serch'", 'Did you mean "system-model-search"?'),
  code('an emit on a mistyped schema', "{ schema: 'tlak' }", 'Did you mean "talk"?'),
  file('an import of no file', 'app/second/.treadle.ts', './src/parts', 'There is no file "./src/parts"'),
  file('a package without .treadle.ts', 'app/third', undefined, 'has no .treadle.ts'),
  file('a method that app does not have', 'app/fourth/.treadle.ts', 'app.gett', 'app.gett is not a function'),
  file('code that does not parse', 'app/fifth/.treadle.ts', 'if (app {', 'This could not be read'),
  file('a block that is not closed', 'app/www/src/template/open.html', undefined, 'if'),
  file('a mistyped helper', 'app/www/src/template/helper.html', 'upercase', 'upercase'),
];

/** Settings and environment of a second project. */
export const SETTINGS: Files = {
  'config/settings.json': {
    nmae: 'x',
    home: 'articles',
    server: { baseUrl: 'example.org', bodyBytes: 'many' },
    oauth: { mode: 'clasic' },
    limits: { pageRows: 0 },
  },
  '.env': ['TREADLE_SECRET=short', 'PORT=abc', 'LOG_LEVEL=loud', 'DATABASE_URL=mysql://localhost/a', ''].join('\n'),
};

export const IN_SETTINGS: readonly FileMistake[] = [
  file('a mistyped setting', 'config/settings.json', '"nmae"', 'Did you mean "name"?'),
  file('a home page without a slash', 'config/settings.json', '"home"', '"/"'),
  file('a base URL without https', 'config/settings.json', '"baseUrl"', 'http'),
  file('a text for a number', 'config/settings.json', '"bodyBytes"', 'must be a number'),
  file('a mistyped mode', 'config/settings.json', '"mode"', 'Did you mean "classic"?'),
  file('a page of no rows', 'config/settings.json', '"pageRows"', 'at least 1'),
  file('a short secret', '.env', undefined, 'TREADLE_SECRET'),
  file('a port that is not a number', '.env', undefined, 'PORT'),
  file('a mistyped log level', '.env', undefined, 'LOG_LEVEL'),
  file('a database that Treadle does not know', '.env', undefined, 'DATABASE_URL'),
];

/** A command line with a mistake: its exit code, and part of what it prints on standard error. */
export const COMMANDS: readonly (readonly [mistake: string, line: string, code: number, says: string])[] = [
  ['a mistyped command', 'chek', 64, 'Did you mean'],
  ['a mistyped verb', 'schema creat talk', 64, 'Did you mean'],
  ['a mistyped option', 'check --jsno', 64, '--json'],
  ['a type that is none', 'schema create thing --field a:string', 64, 'Did you mean "text"?'],
  ['a flag that is none', 'schema create thing --field a:text:requird', 64, 'Did you mean "required"?'],
  ['a field of no schema', 'field add artcle words:number', 64, 'Did you mean "article"?'],
  ['a relation of no kind', 'relation add article 1:M comment', 64, '1:N'],
  ['a call without its options', 'rest create x --no-interactive', 64, '--title is missing'],
  ['an action that is none', 'rest generate article --action serch', 64, 'search'],
  ['an emit of a mistyped event', 'emit system-model-serch schema=article', 64, 'Did you mean "system-model-search"?'],
  ['an import of no file', 'import article nothing.ndjson', 64, 'nothing.ndjson'],
  ['an export of no schema', 'export artcle', 64, 'Did you mean "article"?'],
  ['a person that is not there', 'user show nobody@example.org', 1, 'There is no such account'],
  ['a port that is none', 'dev --port 99999', 64, '65535'],
  ['a default for no field', 'migrate --default article.athor=x', 64, 'Did you mean "article.author"?'],
  ['an explain of a mistyped path', 'explain GET /artcles', 1, '/articles'],
];

/** A request with a mistake: its status, and part of what it answers. */
export const REQUESTS: readonly (readonly [
  mistake: string,
  request: string,
  status: number,
  says: string,
  body?: string,
])[] = [
  ['a filter on no column', 'GET /rest/public/talk?filter[talk_lvel]=expert', 400, 'Did you mean'],
  ['a filter on no option', 'GET /rest/public/talk?filter[talk_level]=expret', 400, 'Did you mean \\"expert\\"?'],
  ['a list with no option', 'GET /rest/public/talk?filter[talk_level][in]=expert,beginer', 400, 'beginner'],
  ['an operator that is none', 'GET /rest/public/talk?filter[talk_level][eqals]=expert', 400, 'is not an operator'],
  ['an order by no column', 'GET /rest/public/talk?sort=talk_titel', 400, 'Did you mean \\"talk_title\\"?'],
  ['a page of too many rows', 'GET /rest/public/talk?limit=1000', 400, 'from 1 to 100'],
  ['a mistyped parameter', 'GET /rest/public/talk?fitler[talk_level]=expert', 400, 'Did you mean \\"filter\\"?'],
  ['fields that are none', 'GET /rest/public/talk?fields=talk_titel', 400, 'Did you mean \\"talk_title\\"?'],
  ['a relation that is none', 'GET /rest/public/talk?expand=speakr', 400, 'is not a relation of talk'],
  ['a cursor that is none', 'GET /rest/public/talk?after=zzz', 400, 'is not a cursor'],
  ['a method that the call does not have', 'DELETE /rest/public/talk', 405, 'allows only GET, HEAD, OPTIONS, POST'],
  ['a mistyped path', 'GET /rest/public/tlak', 404, 'There is no REST call at /rest/public/tlak'],
  ['a body that is not JSON', 'POST /rest/public/talk', 400, 'JSON', '{'],
  ['a column that is none', 'POST /rest/public/talk', 400, 'Did you mean', '{"talk_titel":"x"}'],
  ['an option that is none', 'POST /rest/public/talk', 422, 'talk_level', '{"talk_level":"expret"}'],
  ['no app', 'GET /rest/public/app-talk', 401, 'client_id'],
];
