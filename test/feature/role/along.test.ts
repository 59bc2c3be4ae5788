import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/row-statement.ts';
import { listAlong } from '../../../src/plan/along.ts';
import { Project } from '../../project.ts';
import { type PrivateWorld, startPrivateWorld } from './_private.ts';

/** The columns that 1:1 relations bring into answers: what the consent, the docs and `check` list is what answers hold. */
const test = suite('roles: columns that come along');

const open = { search: true, detail: true, create: true, update: true };
const profile = (read: readonly string[]) => ({ user: { profile: { detail: { read } }, review: open, club: open } });

/** A column's label with an angle bracket shows that pages escape it. */
const LABELS: Readonly<Record<string, string>> = { profile_phone: 'Phone', profile_nick: 'Nick <b>name</b>' };

interface Case {
  readonly rules: Readonly<Record<string, unknown>>;
  /** For each call its columns; `!` marks those that only own rows have. */
  readonly calls: Readonly<Record<string, readonly string[]>>;
}

const REST = ['profile_name', 'profile_nick', 'profile_active', 'profile_created', 'profile_updated'];
const CASES: Readonly<Record<string, Case>> = {
  'without rules': {
    rules: {},
    calls: {
      'p-mine-review-search': [...REST, 'profile_phone'],
      'p-mine-review-detail': [...REST, 'profile_phone'],
      'p-mine-review-update': [...REST, 'profile_phone'],
      'p-user-review-search': [...REST, 'profile_phone!'],
      'p-user-club-detail': [...REST, 'profile_phone!'],
      'p-public-review-search': REST,
      'p-app-review-detail': REST,
      'p-mine-profile-detail': [],
      'p-mine-profile-search': [],
      'p-public-profile-search': [],
      'p-public-club-search': REST,
    },
  },
  'a role that reads one column': {
    rules: profile(['name']),
    calls: {
      'p-mine-review-search': ['profile_name'],
      'p-user-review-search': ['profile_name'],
      'p-user-club-detail': ['profile_name'],
      'p-public-review-search': [],
    },
  },
  'a role that names the private column': {
    rules: profile(['*', 'phone']),
    calls: { 'p-user-review-search': [...REST, 'profile_phone'], 'p-app-review-search': [] },
  },
  'a role that leaves the private column out': {
    rules: profile(['*', '-phone']),
    calls: { 'p-user-review-search': REST, 'p-mine-review-search': REST },
  },
  'a role that reads own profiles': {
    rules: { user: { profile: { detail: { filter: { profile_id: '$me.profile_id' } } }, review: open, club: open } },
    calls: { 'p-mine-review-search': [...REST, 'profile_phone'], 'p-user-review-search': [...REST, 'profile_phone!'] },
  },
};

const strip = (name: string): string => name.replace('!', '');
const sort = (names: Iterable<string>): string[] => [...new Set(names)].sort();

/** Columns of profiles that an answer holds with a value, at any depth. */
function listHeld(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    name.startsWith('profile_') && name !== 'profile_id' && item !== null ? [name] : listHeld(item),
  );
}

const isUserCall = (name: string): boolean => /^p-(?:user|mine)-/.test(name);
const slugOf = (name: string): string => name.replaceAll('-', '_');

for (const [label, { rules, calls }] of Object.entries(CASES)) {
  const at = {} as { world: PrivateWorld; clientId: string };

  test(`${label}: a world`, async () => {
    at.world = await startPrivateWorld(rules, [], (project) => {
      project.edit<{ fields: Row[] }>('config/schema/profile.json', ({ fields }) => {
        fields.splice(1, 0, { name: 'nick', label: LABELS.profile_nick, type: 'text' });
      });
      for (const name of Object.keys(calls).filter(isUserCall))
        project.write(`config/scope/${slugOf(name)}.json`, { slug: slugOf(name), name, access: 'user', calls: [name] });
    });
    const { app } = at.world.world.site;
    const { kysely } = app.services.database;
    await kysely.updateTable('profile').set({ profile_nick: 'Nicky' }).execute();
    const scopes = Object.keys(calls).filter(isUserCall).map(slugOf);
    const redirect_uris = ['https://app.example/cb'];
    const made = await app.emit('app-create', { title: 'Along', owner: 1, redirect_uris, scopes });
    at.clientId = String(made.getResults('client_id'));
  });

  test(`${label}: each call brings what is listed, and its answers hold nothing else`, async () => {
    const { world } = at;
    const { plan } = world.world.site.app;
    for (const [name, wanted] of Object.entries(calls)) {
      const call = plan.calls.find((one) => one.name === name);
      assert.ok(call);
      const found = listAlong(plan.model, call).flatMap(({ columns }) => columns);
      const told = found.map((column) => `${column.name}${column.isOwnersOnly ? '!' : ''}`);
      assert.equal(sort(told), sort(wanted), name);
      const [, kind, schema, action] = name.split('-') as [string, string, string, string];
      const door = kind === 'mine' ? 'user' : kind;
      const person = door === 'user' ? 'ann' : undefined;
      const query = schema === 'club' ? 'expand=review' : '';
      const path = `/rest/${door}/p${kind}/${schema}/${action}${action === 'search' ? '' : '/1'}?${query}`;
      const sent = action === 'update' ? { method: 'PUT', json: { review_title: 'wool ann' } } : {};
      const { status, results, text } = await world.call(path, person, sent);
      if (rules.user !== undefined && door !== 'user') {
        assert.is(status, 403, `${name}: ${text}`);
        continue;
      }
      assert.is(status, 200, `${name}: ${text}`);
      // Where profiles answer, their own columns do not come along.
      if (schema !== 'profile') assert.equal(sort(listHeld(results)), sort(wanted.map(strip)), name);
    }
  });

  test(`${label}: the consent and the docs list the columns`, async () => {
    const { world } = at;
    const all = [...REST, 'profile_phone'];
    for (const [name, wanted] of Object.entries(calls)) {
      const docs = await world.browsers.ann?.get(`/developer/docs/calls/${name}`);
      assert.is(docs?.status, 200, name);
      const page = docs?.text ?? '';
      const table = /aria-label="Columns that come along">.*?<\/table>/s.exec(page)?.[0] ?? '';
      const rows = [...table.matchAll(/<td><code class="t-code">(\w+)<\/code>/g)].map(([, column]) => column ?? '');
      assert.equal(sort(rows), sort(wanted.map(strip)), `docs of ${name}`);
      if (wanted.length > 0) assert.match(table, name.includes('club') ? '>review.profile<' : '>profile<');
      assert.is(
        /private: only/.test(table),
        wanted.some((column) => column.endsWith('!')),
        `note of ${name}`,
      );
      // The docs offer no question that answers 400.
      const isOffered = name === 'p-mine-profile-search' || label === 'a role that names the private column';
      if (!isOffered) assert.not.match(page, /(?:filter\[|Columns, with -[^<]*)(?:profile\.)?profile_phone/, name);
      if (name === 'p-mine-review-search') assert.is(page.includes('filter[review_note]'), true, name);
      if (name === 'p-user-review-search') assert.is(page.includes('filter[review_note]'), false, name);
      if (!isUserCall(name)) continue;
      const slug = slugOf(name);
      const scope = await world.browsers.ann?.get(`/developer/docs/scopes/${slug}`);
      assert.is(scope?.text.includes('Columns that come along'), wanted.length > 0, `docs of scope ${slug}`);
      const dialog = await world.browsers.ann?.get(`/dialog/request?client_id=${at.clientId}&scope=${slug}`);
      assert.is(dialog?.status, 200, name);
      const line = /Each row brings columns of its Profile along: ([^<]*)\./.exec(dialog?.text ?? '')?.[1] ?? '';
      assert.is(
        line.includes('Phone'),
        wanted.some((column) => /phone/.test(column)),
        `${name}: ${line}`,
      );
      assert.is(line.includes('Phone (only yours)'), wanted.includes('profile_phone!'), `${name}: ${line}`);
      assert.is(line.includes('Nick &lt;b&gt;name&lt;/b&gt;'), wanted.includes('profile_nick'), `${name}: ${line}`);
      for (const column of all)
        assert.is(dialog?.text.includes(`<code class="t-code">${column}</code>`), wanted.map(strip).includes(column));
    }
  });

  test(`${label}: the end`, () => at.world.world.close());
}

/** What a file says of two fields of profiles and authors, and the columns that `check` names then. */
const ADVISED: Readonly<Record<string, { fields: object; call?: object; role?: object; names?: string }>> = {
  'no field says so': { fields: {}, names: 'author_mail, author_street' },
  'one field says so': { fields: { mail: { private: true } }, names: 'author_street' },
  'every field says so': { fields: { mail: { private: false }, street: { private: true } } },
  'a role rules the schema': { fields: {}, role: { author: { search: true, detail: true } } },
  'the call lists its columns': {
    fields: {},
    call: { parameters: { schema: 'book', fields: 'book_title,author_mail' } },
  },
  'people are found by it': { fields: { mail: { searchable: true }, street: { private: false } } },
  'the call is open': { fields: {}, call: { open: true }, names: 'author_mail, author_street' },
};

for (const [label, { fields, call = {}, role, names }] of Object.entries(ADVISED))
  test(`check, where ${label}`, async () => {
    const project = new Project();
    try {
      const toField = (name: string) => ({ name, type: 'text', ...(fields as Record<string, object>)[name] });
      const author = { name: 'author', singular: 'Author', plural: 'Authors', fields: ['mail', 'street'].map(toField) };
      project.write('config/schema/author.json', author);
      project.write('config/schema/book.json', {
        name: 'book',
        singular: 'Book',
        plural: 'Books',
        fields: [{ name: 'title', type: 'text' }],
        relations: [{ schema: 'author', kind: '1:1' }],
      });
      project.write('config/rest/books.json', {
        title: 'Books',
        access: 'public',
        method: 'get',
        path: '/public/book/search',
        event: 'system-model-search',
        parameters: { schema: 'book' },
        ...call,
      });
      if (role !== undefined)
        project.write('config/role/guest.json', { slug: 'guest', name: 'Guest', permissions: [], data: role });
      const { out } = await project.cli('check');
      const told = /REST_COLUMNS_ALONG.*?judges: ([^."]*)/s.exec(out)?.[1];
      assert.is(told, names, out);
      if (names !== undefined) assert.match(out, 'config/rest/books.json');
    } finally {
      project.remove();
    }
  });

test('check says nothing about a fresh blog with usual calls', async () => {
  const project = new Project();
  try {
    await project.cli('rest', 'generate', 'comment');
    await project.cli('rest', 'generate', 'comment', '--access', 'user');
    assert.not.match((await project.cli('check')).out, /REST_COLUMNS_ALONG/);
  } finally {
    project.remove();
  }
});

test.run();
