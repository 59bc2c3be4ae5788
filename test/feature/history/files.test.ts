// Also on PostgreSQL: processes that load the same files at once record each change once.
import { readdirSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '../../../src/boot.ts';
import { recordFiles } from '../../../src/feature/history/definition-file.ts';
import { boot, type Site, until } from '../../boot.ts';

const test = suite('history of definition files');

const FILE = 'config/schema/comment.json';
const WRITING = { admin: { write: true } };

interface Entry {
  readonly history_id: number;
  readonly subject: string;
  readonly action: string;
  readonly door: string;
  readonly source: string | null;
  readonly details: { readonly user?: string } | null;
}

/** Entries of definitions, newest first. */
async function listEntries(site: Site): Promise<Entry[]> {
  const { rows } = (await site.emit('history-search', {})).getResults() as { rows: (Entry & { kind: string })[] };
  return rows.filter(({ kind }) => kind === 'definition');
}

/** Waits until the server has learned the files, which it does after it has started. */
const learned = (site: Site): Promise<true> =>
  until(async () =>
    (await site.rows('treadle_definition_file')).some(({ file }) => file === FILE) ? true : undefined,
  );

/** What an editor writes, and what the server then does. */
async function change(site: Site, plural: string): Promise<void> {
  site.project.edit<Record<string, unknown>>(FILE, (schema) => {
    schema.plural = plural;
  });
  assert.equal(
    (await site.app.services.reload()).filter(({ severity }) => severity === undefined || severity === 'error'),
    [],
  );
}

const toText = (entry: Entry): string => `${entry.action} ${entry.subject} by ${entry.door}`;

test('a change by an editor or a command is an entry, once in all processes and loads', async () => {
  const site = await boot();
  const other = await createApp({ root: site.root, mode: 'test', env: {}, log: site.app.services.log });
  try {
    await learned(site);
    assert.equal(await listEntries(site), [], 'the first start only learns the files');
    const before = site.project.read(FILE);
    await change(site, 'Replies');
    await Promise.all([other.services.reload(), recordFiles(site.app.services), recordFiles(other.services)]);
    const [entry, ...more] = await until(async () => {
      const found = await listEntries(site);
      return found.length > 0 ? found : undefined;
    });
    assert.equal(
      [entry, ...more].map((one) => toText(one as Entry)),
      ['update schema/comment by file'],
    );
    const detail = (await site.emit('history-detail', { history_id: entry?.history_id })).getResults('changes');
    assert.equal(detail, { [FILE]: [before, site.project.read(FILE)] });
    await site.cli('schema', 'create', 'task', '--field', 'title:text');
    await recordFiles(site.app.services);
    const [made] = await listEntries(site);
    assert.is(made?.source, 'schema create');
    assert.is(made?.details?.user, userInfo().username);
    const admin = await site.as('Ada', ['admin']);
    const page = await admin.get(`/admin/history/${made?.history_id}`);
    assert.ok(page.text.includes(`${userInfo().username} <span class="t-muted">user of the operating system</span>`));
    rmSync(join(site.root, 'config/schema/task.json'));
    await recordFiles(site.app.services);
    assert.equal((await listEntries(site)).map(toText).slice(0, 2), [
      'remove schema/task by file',
      'create schema/task by command',
    ]);
  } finally {
    await other.close();
    await site.close();
  }
});

test('a save of the admin section is one entry, of its own door', async () => {
  const site = await boot({ settings: WRITING });
  try {
    await learned(site);
    await site.emit('system-schema-update', { name: 'comment', plural: 'Replies' });
    await recordFiles(site.app.services);
    assert.equal((await listEntries(site)).map(toText), ['update schema/comment by system']);
  } finally {
    await site.close();
  }
});

test('an administrator puts a file back, unless it changed since or nobody may write', async () => {
  const site = await boot({ settings: WRITING });
  try {
    await learned(site);
    const admin = await site.as('Ada', ['admin']);
    const before = site.project.read(FILE);
    await change(site, 'Replies');
    await recordFiles(site.app.services);
    const [entry] = await listEntries(site);
    const path = `/admin/history/${entry?.history_id}`;
    assert.match((await admin.get(path)).text, /Make the file what it was before this/);
    await change(site, 'Answers');
    const late = await admin.post(`${path}/revert`, { version: 'before' });
    assert.is(late.status, 422);
    assert.match(late.text, /changed since/);
    await change(site, 'Replies');
    assert.is((await admin.post(`${path}/revert`, { version: 'before' })).status, 303);
    assert.is(site.project.read(FILE), before);
    assert.is(toText((await listEntries(site))[0] as Entry), 'update schema/comment by admin');
    site.project.set({ admin: { write: false } });
    await site.app.services.reload();
    const closed = await admin.get(path);
    assert.not.match(closed.text, /Make the file what it was before this/);
    assert.is((await admin.post(`${path}/revert`, { version: 'before' })).status, 422);
    assert.is(site.project.read(FILE), before);
  } finally {
    await site.close();
  }
});

test('a command that runs while no server does is in the history, and its note goes', async () => {
  const site = await boot();
  const notes = (): string[] => readdirSync(join(site.root, 'var/changes'));
  try {
    await learned(site);
    // The server does not see the files before it records them.
    await site.cli('field', 'add', 'comment', 'mood:text');
    await site.cli('schema', 'rename', 'comment', 'reply');
    site.project.edit<Record<string, unknown>>('config/schema/article.json', (schema) => {
      schema.plural = 'Texts';
    });
    await recordFiles(site.app.services);
    const entries = await listEntries(site);
    assert.equal(entries.map((entry) => `${toText(entry)}: ${entry.source}`).sort(), [
      'create schema/reply by command: schema rename',
      'remove schema/comment by command: schema rename',
      'update schema/article by file: null',
    ]);
    assert.ok(notes().length > 0, 'another server of the folder may need them');
    const later = { ...site.app.services, clock: { ...site.app.services.clock, now: () => Date.now() + 601_000 } };
    await recordFiles(later);
    assert.equal(notes(), []);
  } finally {
    await site.close();
  }
});

test('a note speaks for the text that the command wrote, not for what an editor makes of it', async () => {
  const site = await boot();
  try {
    await learned(site);
    await site.cli('field', 'add', 'comment', 'mood:text');
    await change(site, 'Replies');
    await recordFiles(site.app.services);
    assert.equal((await listEntries(site)).map(toText), ['update schema/comment by file']);
  } finally {
    await site.close();
  }
});

test('without history no file is kept', async () => {
  const site = await boot({ settings: { history: { days: 0 } } });
  try {
    await site.cli('field', 'add', 'comment', 'mood:text');
    await recordFiles(site.app.services);
    await site.app.services.reload();
    await until(async () => ((await site.rows('treadle_definition_file')).length === 0 ? true : undefined));
    assert.equal(readdirSync(join(site.root, 'var/changes')), []);
  } finally {
    await site.close();
  }
});

test.run();
