import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Request } from '../../../../src/core/request/request.ts';
import { Response } from '../../../../src/core/request/response.ts';
import { toCallFacts } from '../../../../src/feature/docs/call-facts.ts';
import { listFiredHooks } from '../../../../src/feature/docs/fired.ts';
import { createSamplePayload, listHookHeaders } from '../../../../src/feature/docs/hook-facts.ts';
import { docs } from '../../../../src/feature/docs/index.ts';
import { renderPage } from '../../../../src/feature/docs/layout.ts';
import { serverLinks } from '../../../../src/feature/docs/links.ts';
import { createShelf } from '../../../../src/feature/docs/navigation.ts';
import { listPages } from '../../../../src/feature/docs/page/pages.ts';
import { toFetch } from '../../../../src/feature/docs/sample/fetch.ts';
import { toPython } from '../../../../src/feature/docs/sample/python.ts';
import { createSampleRequest, type SampleRequest } from '../../../../src/feature/docs/sample/request.ts';
import { toCurl, toPhp } from '../../../../src/feature/docs/sample/samples.ts';
import type { HookModel } from '../../../../src/model/model.ts';
import { quoteForShell } from '../../../../src/page/trial-curl.ts';
import { compilePlan } from '../../../../src/plan/compile.ts';
import { createDraft } from '../../../../src/plan/draft.ts';
import type { CallPlan } from '../../../../src/plan/feature.ts';
import { toModel } from '../../rest/_world.ts';
import { createDocs } from '../_world.ts';

const { plan } = createDocs();
const toHook = (schema?: string) => ({
  title: 'Made',
  event: 'system-model-create',
  type: 'some.created',
  ...(schema ? { parameters: { schema } } : {}),
});
const pages = suite('docs pages');

/** Path of an optional program. */
function findProgram(name: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** The arguments that a POSIX shell passes for a command. */
const toArguments = (command: string): string[] =>
  execFileSync('sh', ['-c', `${command.replace(/^curl/, "printf '%s\\n'")}`], {
    encoding: 'utf8',
    env: { ...process.env, ...VALUES },
  })
    .trimEnd()
    .split('\n');

async function open(path: string, session: Record<string, unknown> = {}): Promise<Response> {
  const request = new Request({ method: 'GET', path, session: () => session });
  const response = new Response(request);
  await plan.bus.emit(`GET ${path}`, request, response);
  return response;
}

pages('each page answers, with absolute links; an unknown one is left to the not-found page', async () => {
  const entries = [
    ...plan.calls.map(({ name }) => `calls/${name}`),
    ...[...plan.model.scopes.keys()].map((slug) => `scopes/${slug}`),
    ...plan.hooks.map(({ name }) => `webhooks/${name}`),
    ...[...plan.model.schemas.keys()].map((name) => `schemas/${name}`),
  ];
  const guides = ['authentication', 'errors', 'searching', 'writing', 'limits'].map((name) => `/guide/${name}`);
  const lists = ['', '/calls', '/scopes', '/webhooks', '/schemas'];
  for (const path of [...lists, ...guides, ...entries.map((entry) => `/${entry}`)]) {
    const response = await open(`/developer/docs${path}`);
    assert.match(String(response.getContent()), '<link rel="stylesheet" href="/styles/treadle.css">', path);
    assert.match(String(response.getContent()), 'href="/developer/docs/calls"');
  }
  for (const path of ['/calls/nothing', '/scopes/constructor', '/webhooks/__proto__']) {
    assert.is((await open(`/developer/docs${path}`)).isAnswered(), false);
  }
});

pages('the sign-in state shows', async () => {
  assert.match(
    String((await open('/developer/docs')).getContent()),
    'href="/auth/login?redirect_uri=%2Fdeveloper%2Fdocs"',
  );
  const me = { auth_id: 1, profile_name: '<b>Ann' };
  const body = String((await open('/developer/docs', { me })).getContent());
  assert.match(body, '&lt;b&gt;Ann');
  assert.match(body, '<input type="hidden" name="csrf" value="form-token">');
});

pages('the OpenAPI document is JSON with the address that is served', async () => {
  const response = await open('/developer/docs/openapi.json');
  const document = JSON.parse(String(response.getContent()));
  assert.equal(document.servers, [{ url: 'http://127.0.0.1:3000' }]);
});

pages('without the API there are no docs', () => {
  assert.equal(createDocs({ api: false }).plan.routes, []);
});

pages('a page says what a call takes', async () => {
  const search = String((await open('/developer/docs/calls/public-article-search')).getContent());
  for (const part of [
    'filter[article_kind]',
    'Columns, with - for descending: article_title, article_published',
    '<code class="t-code">q</code>',
  ]) {
    assert.match(search, part);
  }
  const create = String((await open('/developer/docs/calls/app-article-create')).getContent());
  for (const part of ['article_title', 'required', 'must be unique', 'More than 5', '422', '429'])
    assert.match(create, part);
  assert.not.match(create, 'article_active</code>');
  const update = String((await open('/developer/docs/calls/user-comment-update')).getContent());
  assert.match(update, 'comment_write');
  assert.not.match(update, 'profile_id</code> <span class="t-badge">required');
  assert.match(String((await open('/developer/docs/calls/app-article-remove')).getContent()), 'article_id');
});

const toCallRequest = (name: string): SampleRequest => {
  const call = plan.calls.find((one) => one.name === name);
  if (!call) throw new Error(`no call ${name}`);
  return createSampleRequest(toCallFacts(call, plan), 'https://example.org');
};

pages('a shell runs the sample unchanged', () => {
  for (const text of [`it's`, '$(id) `id` \\ "x" !', 'a\tb', '*?[x]']) {
    assert.is(execFileSync('sh', ['-c', `printf %s ${quoteForShell(text)}`], { encoding: 'utf8' }), text);
  }
  for (const { name } of plan.calls) {
    const parts = toArguments(toCurl(toCallRequest(name)));
    assert.ok(
      parts.some((part) => part.startsWith(`https://example.org/rest/`)),
      name,
    );
    const body = parts[parts.indexOf('-d') + 1];
    if (parts.includes('-d')) assert.type(JSON.parse(String(body)), 'object');
  }
  assert.equal(toArguments(toCurl(toCallRequest('app-article-create'))), [
    'https://example.org/rest/app/article/create',
    '-u',
    'my id:my "secret" $HOME',
    '-H',
    'Content-Type: application/json',
    '-d',
    '{"article_title":"Title"}',
  ]);
  assert.equal(
    toArguments(toCurl(toCallRequest('app-comment-search')))[0]
      ?.split('?')[1]
      ?.split('&')
      .at(-1),
    'client_id=my id',
  );
});

/** Texts that are special in a shell, JavaScript, Python or PHP. */
const HARD: SampleRequest = {
  method: 'POST',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a shell and a template would expand.
  url: ['https://example.org/$(id)`id`"\\\'${HOME}/{x}?a=', { env: 'CLIENT_ID' }, 'b'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the same.
  headers: [['X-Hard', ['$HOME `id` "\\\' ', { env: 'CLIENT_SECRET' }, '${x}']]],
  json: {
    "it's": `a'b"c\\d$e\`f\n\u2028\0{g}#{h}%s`,
    list: [1, true, null, { inner: [] }],
    empty: {},
    __proto__x: 1,
    'a-b': -1.5,
  },
  isEnvelope: true,
};
const VALUES = { CLIENT_ID: 'my id', CLIENT_SECRET: 'my "secret" $HOME' };
const hardUrl = `https://example.org/$(id)\`id\`"\\'\${HOME}/{x}?a=my idb`;
const hardHeader = `$HOME \`id\` "\\' my "secret" $HOME\${x}`;

pages('no language takes a text for its own', async () => {
  const words = toArguments(toCurl({ ...HARD, json: { text: 'one line' } }));
  assert.is(words[0], hardUrl);
  assert.is(words[2], `X-Hard: ${hardHeader}`);
  const curl = toCurl(HARD).split(' \\\n  ').at(-1) ?? '';
  const sent = execFileSync('sh', ['-c', curl.replace(/^-d/, 'printf %s')], { encoding: 'utf8' });
  assert.equal(JSON.parse(sent), HARD.json);

  const seen: { url?: string; headers?: Record<string, string>; body?: string } = {};
  const text = toFetch(HARD).replaceAll('process.env', 'environment');
  const run = new Function('fetch', 'environment', 'console', `return (async () => {${text}})()`);
  const fetch = async (url: string, options: { headers: Record<string, string>; body: string }) => {
    Object.assign(seen, { url, ...options });
    return { ok: true, json: async () => ({}) };
  };
  await run(fetch, VALUES, { log: () => {} });
  assert.is(seen.url, hardUrl);
  assert.is(seen.headers?.['X-Hard'], hardHeader);
  assert.equal(JSON.parse(seen.body ?? ''), HARD.json);
});

pages('Python reads the texts as they are', () => {
  const python = findProgram('python3');
  if (!python) return void console.log('skipped: python3 is not here');
  const text = toPython(HARD)
    .replace('from urllib.request import Request, urlopen', '')
    .replace('with urlopen(request)', 'with request');
  const stub = [
    'class Request:',
    '    def __init__(self, url, **more): print(json.dumps([url, more["headers"], more["data"].decode()])); raise SystemExit(0)',
  ].join('\n');
  const out = execFileSync(python, ['-c', text.replace('\n\nrequest', `\n${stub}\nrequest`)], {
    encoding: 'utf8',
    env: { ...process.env, ...VALUES },
  });
  const [url, headers, body] = JSON.parse(out);
  assert.is(url, hardUrl);
  assert.is(headers['X-Hard'], hardHeader);
  assert.equal(JSON.parse(body), HARD.json);
});

pages('PHP is given nothing to expand', () => {
  const text = toPhp(HARD);
  // Nothing of the texts is outside single quotes: a quote within is escaped.
  const bare = text.replace(/'(?:[^'\\]|\\.)*'/g, '');
  for (const part of ['HOME', '`id`', '#{h}']) assert.not.match(bare, part);
  const php = findProgram('php');
  if (!php) return void console.log('skipped: php is not here');
  execFileSync(php, ['-l'], { input: text });
});

pages('a page does not grow with the API: it lists its neighbours, and says how many there are', () => {
  const names = Array.from({ length: 60 }, (_, index) => `thing${String(index).padStart(2, '0')}`);
  const schema = Object.fromEntries(
    names.map((name) => [name, { name, singular: name, plural: name, fields: [{ name: 'title', type: 'text' }] }]),
  );
  const rest = Object.fromEntries(
    names.flatMap((name) =>
      ['search', 'create'].map((action) => [
        `app-${name}-${action}`,
        {
          title: `${action} ${name}`,
          access: 'app',
          method: action === 'search' ? 'get' : 'post',
          path: `/app/${name}/${action}`,
          event: `system-model-${action}`,
          parameters: { schema: name },
        },
      ]),
    ),
  );
  const model = toModel({ schema, rest }, { api: true });
  const large = compilePlan({ model, draft: createDraft(), features: [docs], isDevelopment: false }).plan;
  const shelf = createShelf(listPages({ plan: large, baseUrl: 'https://example.org', server: '' }));
  const { views } = createDocs();
  const page = shelf.byPath.get('calls/app-thing30-search');
  assert.ok(page);
  const rendered = renderPage(page, shelf, views, serverLinks);
  const entries = rendered.sections.flatMap(({ groups }) => groups.flatMap(({ links }) => links));
  assert.ok(entries.length < 50, String(entries.length));
  assert.ok(entries.some(({ isCurrent }) => isCurrent));
  assert.equal(
    rendered.sections.flatMap(({ more }) => more?.count ?? []),
    [120, 60],
  );
  assert.is(rendered.around.previous?.label, 'create thing29');
  assert.is(rendered.around.next?.label, 'create thing30');
});

/** HTML without the marks of highlighted code. */
const unmarked = (html: string): string => html.replace(/<span class="d-h-[^"]*">|<\/span>/g, '');

pages('a page tells the statuses, headers and bodies that the OpenAPI document has', async () => {
  const body = String((await open('/developer/docs/calls/app-article-create')).getContent());
  const document = JSON.parse(String((await open('/developer/docs/openapi.json')).getContent()));
  const { responses } = document.paths['/rest/app/article/create'].post;
  const shown = [...body.matchAll(/<span class="d-status[^"]*">([^<]+)<\/span>/g)].map(([, status]) => status);
  assert.equal(
    shown.sort(),
    Object.keys(responses)
      .map((status) => (status === 'default' ? 'else' : status))
      .sort(),
  );
  // The example of a broken rule names a field of this call.
  assert.match(unmarked(body), '&quot;pointer&quot;: &quot;/article_title&quot;');
  // Code is marked by classes, without a change of its text.
  assert.match(body, '<span class="d-h-attr">&quot;pointer&quot;</span>');
});

pages('calls and hooks name each other', async () => {
  const call = String((await open('/developer/docs/calls/public-comment-create')).getContent());
  assert.match(call, 'No web hook is subscribed to it');
  const { plan: with_ } = createDocs({}, { 'comment-created': toHook('comment'), 'any-created': toHook() });
  const fired = listFiredHooks(
    with_.calls.find(({ name }) => name === 'public-comment-create') as CallPlan,
    with_.hooks,
  );
  assert.equal(fired.map(({ item, isCertain }) => [item.name, isCertain]).sort(), [
    ['any-created', true],
    ['comment-created', true],
  ]);
});

pages('a sample of a hook is one that its filter lets through, with the fields that it sends', () => {
  const hook = {
    ...toHook('comment'),
    filter: { comment_detail: { in: ['so'] }, comment_id: { gte: 9 } },
    fields: ['comment_id', 'comment_detail'],
  };
  const { plan: with_ } = createDocs({}, { one: hook });
  const found = with_.hooks.find(({ name }) => name === 'one') as HookModel;
  assert.equal((createSamplePayload(found, with_.model) as { data: unknown }).data, {
    comment_id: 9,
    comment_detail: 'so',
  });
});

pages('a pattern hears of what a call changes, and of nothing that it reads', () => {
  const every = { ...toHook('comment'), event: 'system-model-*' };
  const { plan: with_ } = createDocs({}, { every, read: { ...toHook('comment'), event: 'system-model-search' } });
  const listFired = (call: string): string[] =>
    listFiredHooks(with_.calls.find(({ name }) => name === call) as CallPlan, with_.hooks).map(({ item }) => item.name);
  assert.equal(listFired('public-comment-create'), ['every']);
  assert.equal(listFired('public-comment-search'), ['read']);
});

pages('two hooks of one type are told apart, and what one says of approval is not said twice', async () => {
  const held = {
    ...toHook('comment'),
    approval: true,
    filter: { comment_id: { gte: 5 } },
    format: 'cloudevents-binary',
  };
  const { context } = createDocs({}, { one: toHook('comment'), held });
  const show = async (path: string): Promise<string> => {
    const request = new Request({ method: 'GET', path, session: () => ({}) });
    const response = new Response(request);
    await context.plan.bus.emit(`GET ${path}`, request, response);
    return String(response.getContent());
  };
  const list = await show('/developer/docs/webhooks');
  for (const name of ['one', 'held']) assert.match(list, `<code class="t-code">${name}</code>`);
  assert.is(list.split('>CloudEvents, binary<').length - 1, 1);
  const page = await show('/developer/docs/webhooks/held');
  assert.match(page, 'An app that was registered in the browser hears of it only once the site has approved that.');
  assert.match(page, '<code class="t-code">comment_id</code> is at least <code class="t-code">5</code>.');
});

pages('a hook is shown in its format, with the headers and receivers of it', async () => {
  const { plan: with_, context } = createDocs(
    {},
    {
      whole: { ...toHook('comment'), format: 'cloudevents-structured' },
      headed: { ...toHook('comment'), type: 'some.headed', format: 'cloudevents-binary' },
    },
  );
  const show = async (name: string): Promise<string> => {
    const path = `/developer/docs/webhooks/${name}`;
    const request = new Request({ method: 'GET', path, session: () => ({}) });
    const response = new Response(request);
    await context.plan.bus.emit(`GET ${path}`, request, response);
    return unmarked(String(response.getContent()))
      .replaceAll('&quot;', '"')
      .replaceAll('&#x3D;', '=')
      .replaceAll('&#x27;', "'")
      .replaceAll('&#x60;', '`');
  };
  const whole = await show('whole');
  assert.match(whole, '"specversion": "1.0"');
  assert.match(whole, '"source": "http://127.0.0.1:3000"');
  assert.match(whole, '"sequence": "0000000000001042"');
  assert.match(whole, 'application/cloudevents+json; charset=utf-8');
  assert.not.match(whole, 'ce-type');
  const headed = await show('headed');
  for (const name of ['specversion', 'id', 'source', 'type', 'time', 'sequence']) assert.match(headed, `>ce-${name}<`);
  assert.match(headed, "request.headers['ce-type'], data");
  assert.match(headed, '"comment_id": 1');
  assert.not.match(headed, '"specversion"');
  assert.not.match(headed, 'event.type');
  assert.match(await show('profile-created'), 'event.type');
  for (const name of ['whole', 'headed']) {
    const found = with_.hooks.find((each) => each.name === name) as HookModel;
    assert.ok(listHookHeaders(found, with_.model, 'https://x.example').every(({ description }) => description !== ''));
  }
});

pages.run();
