import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Request } from '../../../src/core/request.ts';
import { Response } from '../../../src/core/response.ts';
import { toCallFacts } from '../../../src/feature/docs/call-facts.ts';
import { toCallCurl } from '../../../src/feature/docs/call-sample.ts';
import { quoteForShell } from '../../../src/feature/docs/curl.ts';
import { createDocs } from './_world.ts';

const { plan } = createDocs();
const pages = suite('docs pages');

/** What a POSIX shell makes of a command's arguments. */
const toArguments = (command: string): string[] =>
  execFileSync('sh', ['-c', `${command.replace(/^curl/, "printf '%s\\n'")}`], { encoding: 'utf8' })
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
  for (const path of ['', '/calls', '/scopes', '/webhooks', '/schemas', ...entries.map((entry) => `/${entry}`)]) {
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

pages('a shell takes the sample as it stands', () => {
  for (const text of [`it's`, '$(id) `id` \\ "x" !', 'a\tb', '*?[x]']) {
    assert.is(execFileSync('sh', ['-c', `printf %s ${quoteForShell(text)}`], { encoding: 'utf8' }), text);
  }
  for (const call of plan.calls) {
    const parts = toArguments(toCallCurl(toCallFacts(call, plan), 'https://example.org'));
    assert.ok(
      parts.some((part) => part.startsWith(`https://example.org/rest/`)),
      call.name,
    );
    const body = parts[parts.indexOf('-d') + 1];
    if (parts.includes('-d')) assert.type(JSON.parse(String(body)), 'object');
  }
  const create = plan.calls.find(({ name }) => name === 'app-article-create');
  assert.ok(create);
  const parts = toArguments(toCallCurl(toCallFacts(create, plan), 'https://example.org'));
  assert.equal(parts, [
    'https://example.org/rest/app/article/create',
    '-u',
    'CLIENT_ID:CLIENT_SECRET',
    '-H',
    'Content-Type: application/json',
    '-d',
    '{"article_title":"Title"}',
  ]);
});

pages.run();
