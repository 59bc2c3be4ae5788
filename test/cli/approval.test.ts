import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '../../src/boot.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { Folders, run } from './run.ts';

/** Output of the commands for web hooks that need approval. */
const folders = new Folders();
const approval = suite('approval in the commands');
approval.after(() => folders.remove());

function makeProject() {
  const cwd = folders.makeProject();
  const at = async (...argv: string[]) => {
    const { code, out, err } = await run(argv, { cwd });
    return { code, text: out + err };
  };
  const json = async (...argv: string[]) => {
    const { code, out, err } = await run([...argv, '--json'], { cwd });
    assert.is(code, 0, out + err);
    return JSON.parse(out) as Record<string, unknown>;
  };
  return { cwd, at, json };
}

const NOTE = ['schema', 'create', 'note', '--field', 'text:text', '--relation', 'profile=1:1'];
const HOOK = ['--title', 'Note written', '--event', 'system-model-create', '--parameter', 'schema=note'];

approval('check advises where any app hears of what no call shows, until the hook says so', async () => {
  const { cwd, at, json } = makeProject();
  await json('api', 'populate');
  assert.match((await at('check')).text, 'No problems found.\n', 'of a fresh project nothing is to be said');
  await json(...NOTE);
  const { advice } = await json('webhook', 'create', 'note-written', ...HOOK, '--type', 'note.written');
  assert.is((advice as string[]).length, 1);
  assert.match(String(advice), 'hears of every row of "note"');
  const { code, text } = await at('check');
  assert.is(code, 0, 'advice is no problem');
  assert.match(text, 'config/webhook/note-written.json');
  const read = () => JSON.parse(readFileSync(join(cwd, 'config/webhook/note-written.json'), 'utf8'));
  for (const [flag, written] of [
    ['--no-approval', false],
    ['--approval', true],
  ] as const) {
    assert.equal((await json('webhook', 'update', 'note-written', flag)).advice, [], flag);
    assert.is(read().approval, written);
  }
  assert.match((await at('check')).text, 'No problems found.\n');
  await json('webhook', 'create', 'other', ...HOOK, '--type', 'note.other', '--approval');
  assert.match(readFileSync(join(cwd, 'config/webhook/other.json'), 'utf8'), '"approval": true');
  const third = await json('webhook', 'create', 'third', ...HOOK, '--type', 'note.third', '--no-approval');
  assert.equal(third.advice, []);
  assert.is(((await json('webhook', 'update', 'third', '--unset', 'approval')).advice as string[]).length, 1);
});

approval('who waits is listed, and each list names the command that approves', async () => {
  const { cwd, at, json } = makeProject();
  await json('api', 'populate');
  await json(...NOTE);
  await json('webhook', 'create', 'note-written', ...HOOK, '--type', 'note.written', '--approval');
  await json('rest', 'generate', 'note', '--access', 'public', '--action', 'create');
  assert.match((await at('explain', 'POST', '/rest/public/note/create')).text, 'needs approval');
  await json('migrate');
  const app = await createApp({ root: cwd, mode: 'development', hasWorkers: false, env: {}, log: silentLog });
  const wish = { title: 'One', owner: 1, webhook: 'https://one.example/', hooks: ['note-written', 'profile-created'] };
  const id = String((await app.emit('app-create', wish)).getResults('client_id'));
  await app.close();

  assert.match((await at('app', 'list')).text, 'waits for approval of note-written');
  for (const list of [
    ['app', 'list'],
    ['app', 'show', id],
  ])
    assert.match((await at(...list)).text, `treadle app approve ${id}`);
  const receivers = (await at('webhook', 'receivers')).text;
  assert.match(receivers, /note-written +waiting .*the app waits for approval/);
  assert.match(receivers, /profile-created +unused/);
  assert.match(receivers, `treadle app approve ${id} --hook note-written`);
  assert.match((await at('webhook', 'test', 'note-written', '--app', id)).text, 'waits for approval of note-written');

  const dry = await json('app', 'approve', id, '--hook', 'note-written', '--dry-run');
  assert.equal([dry.hooks, dry.isDryRun], [['note-written'], true]);
  assert.match((await at('app', 'list')).text, 'waits for approval of note-written');
  const odd = await at('app', 'approve', id, '--hook', 'profile-created');
  assert.is(odd.code, 1);
  assert.match(
    odd.text,
    /"profile-created" needs no approval[\s\S]*"approval": true in config\/webhook\/profile-created\.json/,
  );
  const none = await at('app', 'approve', id, '--hook', 'note-writen');
  assert.match(none.text, /There is no web hook "note-writen"\. Did you mean "note-written"\?/);
  await json('app', 'create', 'reader', '--title', 'Reader', '--redirect-uri', 'https://example.org/cb');
  const ofFile = await at('app', 'approve', 'reader', '--hook', 'note-written');
  assert.match(ofFile.text, 'This app is defined in config/app/reader.json');
  const approved = (await at('app', 'approve', id)).text;
  assert.match(approved, /approved +\(none\) +note-written/);
  assert.match(approved, /waiting +\(none\) +\(none\)/);
  const apps = (await at('app', 'list')).text;
  assert.match(apps, /^name +title +client id +from +remarks\n/);
  assert.not.match(apps, 'waits for');
  assert.match((await at('app', 'show', id)).text, /approvedHooks +note-written\npendingHooks +\(none\)/);
  assert.match((await at('webhook', 'receivers')).text, /note-written +unused/);
  const revoked = await json('app', 'approve', id, '--hook', 'note-written', '--revoke');
  assert.equal([revoked.approvedHooks, revoked.pendingHooks], [[], ['note-written']]);

  await json('app', 'approve', id, '--hook', 'note-written');
  await json('webhook', 'remove', 'note-written', '--yes');
  assert.match((await at('app', 'show', id)).text, /approvedHooks +note-written\n/);
  const gone = await at('app', 'approve', id, '--hook', 'note-written');
  assert.is(gone.code, 1, 'what is not defined is not approved');
  const taken = await json('app', 'approve', id, '--hook', 'note-written', '--revoke');
  assert.equal(taken.approvedHooks, [], 'and what it holds of it is taken back');
});

approval.run();
