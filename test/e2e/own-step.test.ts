import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import { run } from '../cli/run.ts';

const note = {
  name: 'note',
  singular: 'Note',
  plural: 'Notes',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'slug', type: 'text' },
  ],
};
const step = (value: string, down = true) => `
export async function up({ db }) {
  await db.updateTable('note').set({ note_slug: '${value}' }).execute();
}
${down ? "export async function down({ db }) { await db.updateTable('note').set({ note_slug: 'undone' }).execute(); }" : ''}
`;

const own = suite('migration steps of the project');
const world: { site?: Site } = {};
const site = (): Site => world.site as Site;

own.before(async () => {
  world.site = await boot({
    template: 'bare',
    mode: 'development',
    files: { 'config/schema/note.json': note, 'config/migration/1-first.ts': step('one') },
  });
  await site().emit('system-model-create', { schema: 'note', note_title: 'A' });
});
own.after(() => site().close());

const slugs = async () => (await site().rows('note')).map(({ note_slug }) => note_slug);
const cli = (...argv: string[]) =>
  run(argv, { cwd: site().root, env: { TREADLE_SECRET: 'test only, at least 32 characters long' } });

own('the first ran with the start, once', async () => {
  assert.equal(
    (await site().rows('treadle_own_step')).map(({ step: name }) => name),
    ['1-first'],
  );
  assert.equal(await slugs(), [null]);
});

own('one that is saved while the project is edited waits, and says so; so does an edited one that ran', async () => {
  const told = async () =>
    (await site().app.services.reload()).flatMap(({ code, file }) => (/_OWN_/.test(code) ? [[code, file]] : []));
  assert.equal(await told(), []);
  site().project.write('config/migration/2-second.ts', step('half'));
  assert.equal(await told(), [['MIGRATION_OWN_WAITS', 'config/migration/2-second.ts']]);
  assert.equal(await slugs(), [null], 'it did not run');
  site().project.write('config/migration/1-first.ts', step('other'));
  assert.equal(await told(), [
    ['MIGRATION_OWN_WAITS', 'config/migration/2-second.ts'],
    ['MIGRATION_OWN_EDITED', 'config/migration/1-first.ts'],
  ]);
  assert.match((await cli('migrate', '--dry-run')).out, '1-first.ts has run already, so what changed in it since');
  site().project.write('config/migration/1-first.ts', step('one'));
});

own('a dry run lists it, start refuses without it, migrate runs it in order, once', async () => {
  site().project.write('config/migration/10-third.ts', step('three', false));
  site().project.write('config/migration/2-second.ts', step('two'));
  const dry = await cli('migrate', '--dry-run');
  assert.match(dry.out, /Would run config\/migration\/2-second\.ts\.\nWould run config\/migration\/10-third\.ts\./);
  const { createApp } = await import('../../src/boot.ts');
  const refused = await createApp({
    root: site().root,
    mode: 'production',
    env: { TREADLE_SECRET: 'x'.repeat(40) },
  }).then(
    (app) => app.close(),
    (error: unknown) => error,
  );
  assert.is((refused as { code?: string } | undefined)?.code, 'DATABASE_BEHIND');
  const done = await cli('migrate', '--yes');
  assert.match(done.out, /Ran config\/migration\/2-second\.ts/);
  assert.equal(await slugs(), ['three']);
  assert.match((await cli('migrate', '--yes')).out, /up to date/);
});

own('one without "down" is not undone; one with it is', async () => {
  const refused = await cli('migrate', 'undo');
  assert.is(refused.code, 1);
  assert.match(refused.out + refused.err, /10-third\.ts has no "down"/);
  site().project.write('config/migration/10-third.ts', step('three'));
  const undone = await cli('migrate', 'undo');
  assert.match(undone.out, /10-third\.ts was undone/);
  assert.equal(await slugs(), ['undone']);
});

own('one that fails keeps nothing; wrong files are named by check', async () => {
  const broken =
    "export async function up({ db }) { await db.updateTable('note').set({ note_slug: 'half' }).execute(); throw new Error('no'); }";
  site().project.write('config/migration/10-third.ts', broken);
  const failed = await cli('migrate', '--yes');
  assert.is(failed.code, 1);
  assert.match(failed.out + failed.err, /10-third\.ts \(up\) failed: no/);
  assert.equal(await slugs(), ['undone']);
  site().project.write('config/migration/10-third.ts', 'export const nothing = 1;');
  site().project.write('config/migration/later.ts', step('x'));
  const { out, err } = await cli('check');
  assert.match(out + err, /exports no function "up"/);
  assert.match(out + err, /"later\.ts" is no <number>-<name>\.ts/);
});

own.run();
