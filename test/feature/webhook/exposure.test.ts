import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { webhook } from '../../../src/feature/webhook/index.ts';
import type { ColumnModel, ScopeModel } from '../../../src/model/model.ts';
import type { Hook, Rest, Scope } from '../../../src/model/shape.ts';
import type { CallPlan, Facts } from '../../../src/plan/feature.ts';
import { toModel } from '../../store/read/_world.ts';
import { toHook } from './world.ts';

/** What is advised where a web hook tells any app of data that no call shows to any app. */
const open = suite('webhook/exposure');

const blog = toModel();
const model = { ...blog, settings: { ...blog.settings, api: true } };

type Call = Partial<Rest> & { readonly scopes?: readonly string[]; readonly isOwn?: boolean };

function toCall({ scopes = [], isOwn, ...more }: Call): CallPlan {
  const definition: Rest = {
    title: 'Call',
    access: 'public',
    method: 'get',
    path: '/public/call',
    event: 'system-model-search',
    parameters: { schema: 'comment' },
    ...more,
  };
  return {
    name: 'call',
    definition,
    path: `/rest${definition.path}`,
    parameters: [],
    scopes,
    schema: definition.parameters?.schema as string | undefined,
    isOwn: isOwn ?? definition.access === 'user',
    file: 'config/rest/call.json',
    handler: undefined,
  };
}

const toScope = (slug: string, access: 'app' | 'user', approval?: boolean): [string, ScopeModel] => {
  const definition: Scope = { slug, name: slug, access, calls: [], ...(approval === undefined ? {} : { approval }) };
  return [slug, { slug, definition, calls: [], file: `config/scope/${slug}.json` }];
};
const SCOPES = new Map([
  toScope('app-free', 'app'),
  toScope('app-held', 'app', true),
  toScope('user-free', 'user'),
  toScope('user-held', 'user', true),
]);

/** Messages of the advice on a hook, where these calls are served. */
const judge = (hook: Partial<Hook>, calls: readonly Call[] = [], isOpened = true): string[] =>
  listAdvice('WEBHOOK_AUDIENCE_OPEN', hook, calls, isOpened);

function listAdvice(
  wanted: string,
  hook: Partial<Hook>,
  calls: readonly Call[] = [],
  isOpened = true,
  roles = model.roles,
  schemas = model.schemas,
): string[] {
  const facts: Facts = {
    model: { ...model, roles, schemas, scopes: SCOPES, settings: { ...model.settings, api: isOpened } },
    calls: calls.map(toCall),
    jobs: [],
    hooks: [{ ...toHook({ parameters: { schema: 'comment' }, ...hook }), schema: 'comment' }].map((made) =>
      made.definition.parameters?.schema === undefined ? { ...made, schema: undefined } : made,
    ),
    isDevelopment: false,
  };
  return (webhook.contribute(facts).problems ?? [])
    .filter(({ code }) => code === wanted)
    .map(({ message, hint, severity, path }) => `${severity} ${path}: ${message} ${hint}`);
}

open('a hook that any app hears is told of; one that says whether it needs approval is not', () => {
  const [told = '', ...more] = judge({});
  assert.is(more.length, 0);
  assert.match(told, /^advice approval: Whoever registers an app hears of every row of "comment" by this web hook/);
  assert.match(told, '"audience": "user"', 'its rows are people’s own');
  for (const hook of [{ approval: true }, { approval: false }, { audience: 'user' }] as const)
    assert.equal(judge(hook), [], JSON.stringify(hook));
  assert.equal(judge({}, [], false), [], 'nobody registers an app where the API is closed');
});

open('what a call shows to any app is no secret of the hook', () => {
  const shown: Record<string, Call> = {
    'a public search': {},
    'a public detail': { event: 'system-model-detail' },
    'a public detail of what it belongs to': { event: 'system-model-detail', parameters: { schema: 'article' } },
    'an app call that no scope lists': { access: 'app' },
    'an app call of a scope that any app may list': { access: 'app', scopes: ['app-held', 'app-free'] },
    'a user call on everybody’s rows': { access: 'user', isOwn: false, scopes: ['user-free'] },
  };
  for (const [what, call] of Object.entries(shown)) assert.equal(judge({}, [call]), [], what);
  const hidden: Record<string, Call> = {
    'a public call that writes': { event: 'system-model-create' },
    'a public call of another schema': { parameters: { schema: 'topic' } },
    'an app call of a scope that needs approval': { access: 'app', scopes: ['app-held'] },
    'a user call on the user’s own rows': { access: 'user', scopes: ['user-free'] },
    'a user call on everybody’s rows that no token reaches': { access: 'user', isOwn: false },
    'a user call on everybody’s rows for approved apps': { access: 'user', isOwn: false, scopes: ['user-held'] },
    'a public call with fixed conditions': { parameters: { schema: 'comment', filter: { comment_id: 1 } } },
    'a public call with fixed columns': { parameters: { schema: 'comment', fields: 'comment_id' } },
    'a public call that leaves relations out': {
      event: 'system-model-detail',
      parameters: { schema: 'article', fields: ['article_title'] },
    },
  };
  for (const [what, call] of Object.entries(hidden)) assert.is(judge({}, [call]).length, 1, what);
});

open('a private column is sent by a hook that names it only, and then no call shows it', () => {
  const comment = model.schemas.get('comment');
  assert.ok(comment);
  const toPrivate = (column: ColumnModel) =>
    column.name === 'comment_detail' ? { ...column, isPrivate: true } : column;
  const row = { ...comment.row, shown: comment.row.shown.map(toPrivate) };
  const schemas = new Map(model.schemas);
  schemas.set('comment', { ...comment, columns: comment.columns.map(toPrivate), row });
  const ask = (hook: Partial<Hook>) =>
    listAdvice('WEBHOOK_AUDIENCE_OPEN', hook, [{}], true, model.roles, schemas).length;
  assert.is(ask({}), 0);
  assert.is(ask({ fields: ['comment_created'] }), 0);
  assert.is(ask({ fields: ['comment_detail'] }), 1);
});

open('a hook may send what a call with fixed columns or conditions shows', () => {
  const some: Call = { parameters: { schema: 'comment', fields: 'comment_detail,comment_created' } };
  assert.equal(judge({ fields: ['comment_id', 'comment_detail'] }, [some]), []);
  assert.is(judge({ fields: ['comment_id', 'profile_id'] }, [some]).length, 1);
  const few: Call = { parameters: { schema: 'comment', filter: { comment_id: 1 } } };
  assert.equal(judge({ filter: { comment_id: 1 } }, [few]), []);
});

open('patterns, rows of every schema, and accounts', () => {
  assert.is(judge({ event: 'system-model-*' }).length, 1);
  const every = { event: 'system-model-*', parameters: {} };
  const all = [...model.schemas.keys()].map((schema): Call => ({ parameters: { schema } }));
  assert.equal(judge(every, all), []);
  assert.match(
    judge(
      every,
      all.filter(({ parameters }) => parameters?.schema !== 'article'),
    )[0] ?? '',
    'row of "article"',
  );
  assert.equal(judge({ event: '*' }, [{}]), [], 'of one schema only, so of no account');
  for (const event of ['app-create', 'app-*', 'grant-remove', 'oauth-revoke'])
    assert.match(judge({ event, parameters: {} }, all)[0] ?? '', 'other apps, and of who uses them', event);
  for (const event of ['auth-create', 'auth-*', '*-create'])
    assert.match(judge({ event, parameters: {} }, all)[0] ?? '', 'accounts, with their e-mail addresses', event);
  assert.equal(judge({ event: 'order-paid', parameters: {} }), [], 'what a project’s own event leaves is its affair');
});

open('judges every event that gives rows, not only those with one row as data', () => {
  for (const verb of ['search', 'detail', 'import', 'batch'])
    assert.match(judge({ event: `system-model-${verb}` })[0] ?? '', 'every row of "comment"', verb);
  assert.equal(judge({ event: 'system-model-import' }, [{}]), []);
  const linked = { event: 'system-relation-link', parameters: { schema1: 'comment', schema2: 'topic' } };
  const topic: Call = { parameters: { schema: 'topic' } };
  assert.match(judge(linked, [topic])[0] ?? '', 'every row of "comment"');
  assert.match(judge(linked, [{}])[0] ?? '', 'every row of "topic"');
  assert.equal(judge(linked, [{}, topic]), []);
  assert.is(judge({ event: 'system-relation-*', parameters: {} }).length, 1);
  assert.equal(judge({ event: '*-search', parameters: {} }), [], 'a pattern fires on nothing that reads');
});

open(
  'a hook that is sent during the action lets any app hold the action up, unless it says whether it needs approval',
  () => {
    const inline = (hook: Partial<Hook>, isOpened = true): string[] =>
      listAdvice('WEBHOOK_INLINE_OPEN', { delivery: 'inline', ...hook }, [{}], isOpened);
    assert.match(
      inline({})[0] ?? '',
      /^advice delivery: Whoever registers an app can make .* wait 15 s for its server\./,
    );
    for (const hook of [{ delivery: 'queued' }, { approval: true }, { approval: false }, { audience: 'user' }] as const)
      assert.equal(inline(hook), [], JSON.stringify(hook));
    assert.equal(inline({}, false), [], 'nobody registers an app where the API is closed');
  },
);

open('a call shows only what the roles of its callers show', () => {
  const whole = { search: true, detail: true };
  const cases: readonly (readonly [string, Record<string, object>, number])[] = [
    ['all of it', { comment: whole, profile: whole }, 0],
    ['nothing', { comment: { create: true } }, 1],
    ['some rows', { comment: { search: { filter: { comment_id: { lt: 9 } } } } }, 1],
    ['the own rows', { comment: { search: { filter: { profile_id: '$me.profile_id' } } } }, 1],
    ['some columns', { comment: { search: { read: ['*', '-detail'] } } }, 1],
    ['not the columns of a 1:1 relation', { comment: whole, profile: { detail: { read: ['profile_id'] } } }, 1],
    ['no row of a 1:1 relation', { comment: whole, profile: { search: true } }, 1],
  ];
  for (const [what, data, count] of cases) {
    const roles = new Map([['guest', { slug: 'guest', data }]]) as unknown as typeof model.roles;
    assert.is(listAdvice('WEBHOOK_AUDIENCE_OPEN', {}, [{}], true, roles).length, count, what);
  }
});

open.run();
