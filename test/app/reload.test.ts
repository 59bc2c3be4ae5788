// Also on PostgreSQL: a reload changes tables while it serves.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SharedReload } from '../../src/app/reload/shared.ts';
import { type Peer, WorkerReloads } from '../../src/app/reload/workers.ts';
import { type Application, createApp } from '../../src/boot.ts';
import type { Clock } from '../../src/core/clock.ts';
import type { ProblemsError } from '../../src/core/errors.ts';
import { type Log, silentLog } from '../../src/core/log/log.ts';
import { currentScope } from '../../src/core/scope.ts';
import type { Database } from '../../src/database/database.ts';
import { applyChanges } from '../../src/edit/change.ts';
import { Gate } from '../../src/http/gate.ts';
import { Folders } from '../cli/run.ts';
import { SERVER } from '../database/_where.ts';

/** `Services.reload()`: in this process, in workers, and in processes on one database. */
const reload = suite('app/reload');
const folders = new Folders();
reload.after(() => folders.remove());

function rename(root: string, name: string): void {
  const file = join(root, 'config/settings.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), name }));
}

/** Breaks the settings; returns a function that fixes them. */
function breakSettings(root: string): () => void {
  const file = join(root, 'config/settings.json');
  const good = readFileSync(file, 'utf8');
  writeFileSync(file, good.slice(0, -5));
  return () => writeFileSync(file, good);
}

const getName = ({ plan }: Application): string => plan.model.settings.name;
const open = (root: string, log: Log = silentLog): Promise<Application> =>
  createApp({ root, mode: 'test', env: {}, log });

reload('serves what the files say, and goes on with the former plan where they are broken', async () => {
  const root = folders.makeProject('bare');
  const app = await open(root);
  try {
    rename(root, 'Second');
    const problems = await app.services.reload();
    assert.not.ok(problems.some(({ severity }) => severity !== 'advice'));
    assert.is(getName(app), 'Second');
    const mend = breakSettings(root);
    assert.ok((await app.services.reload()).some(({ file }) => file === 'config/settings.json'));
    assert.is(getName(app), 'Second');
    mend();
    await app.services.reload();
    assert.is(getName(app), 'Second');
  } finally {
    await app.close();
  }
});

reload('services are all that editing a definition and serving it needs', async () => {
  const root = folders.makeProject('bare');
  const app = await open(root);
  try {
    const { compile, reload: reloadAll } = app.services;
    const project = { root: () => root, env: {}, isDryRun: false, compile };
    const [settings, scope] = [{ name: 'Edited' }, { slug: 'see', name: 'See', access: 'user', calls: ['nowhere'] }];
    const refused = await applyChanges(project, [{ kind: 'scope', name: 'see', value: scope }]).catch((error) => error);
    assert.equal(
      (refused as ProblemsError).problems.map(({ code }) => code),
      ['MODEL_SCOPE_CALL_UNKNOWN'],
    );
    await applyChanges(project, [{ kind: 'settings', name: 'settings', value: settings }]);
    await reloadAll();
    assert.is(getName(app), 'Edited');
  } finally {
    await app.close();
  }
});

// PGlite, the replacement for a server, does not send notifications.
if (SERVER !== undefined && process.env.TREADLE_TEST_POSTGRES_KIND !== 'pglite') {
  reload('on PostgreSQL every other process follows, and keeps its plan where the files are broken', async () => {
    const root = folders.makeProject('bare');
    const heard: string[] = [];
    const waiting = { next: (): void => {} };
    const log: Log = {
      ...silentLog,
      info: (event) => {
        heard.push(event);
        if (event === 'the definitions were reloaded') waiting.next();
      },
    };
    const [one, other] = [await open(root), await open(root, log)];
    try {
      const followed = new Promise<void>((resolve) => {
        waiting.next = resolve;
      });
      const mend = breakSettings(root);
      assert.ok((await one.services.reload()).some(({ severity }) => severity !== 'advice'));
      mend();
      assert.not.ok(heard.includes('the definitions were reloaded'), 'a broken definition is not announced');
      rename(root, 'Second');
      await one.services.reload();
      await followed;
      assert.equal([getName(one), getName(other)], ['Second', 'Second']);
      assert.is(heard.filter((event) => event === 'the definitions were reloaded').length, 1);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });
}

/** A clock with timers that fire when the test says so. */
function createTimers(): { readonly clock: Clock; fire(): void } {
  const timers = new Set<() => void>();
  const clock = {
    now: () => 0,
    after(_: number, task: () => void) {
      timers.add(task);
      return () => timers.delete(task);
    },
  } as unknown as Clock;
  return {
    clock,
    fire() {
      for (const task of timers) task();
      timers.clear();
    },
  };
}

reload('a migration that waits for the requests in flight does not wait for the one that asked for it', async () => {
  const { clock } = createTimers();
  const gate = new Gate(clock);
  const shared = new SharedReload({ root: folders.make(), clock, log: silentLog, isServer: false });
  const application = {
    problems: [],
    async reload() {
      assert.is(currentScope.getStore()?.caller, undefined, 'it runs outside the exchange');
      await gate.close();
      gate.open();
      return [];
    },
  };
  shared.start(application, {} as Database, gate);
  gate.enter();
  await currentScope.run({ caller: { address: '127.0.0.1', isDone: false } }, () => shared.reload());
  const closing = gate.close();
  gate.leave();
  await closing;
});

/** Peers that record their messages. */
function createPeers(count: number): { readonly peers: readonly Peer[]; readonly sent: string[] } {
  const sent: string[] = [];
  const peers = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    send: ({ treadle, id }: { treadle: string; id: number }) => void sent.push(`${index + 1} ${treadle} ${id}`),
  }));
  return { peers, sent };
}

type Step = (reloads: WorkerReloads, peers: readonly Peer[], fire: () => void) => void;
const done =
  (worker: number): Step =>
  (reloads, peers) =>
    reloads.hear(peers[worker - 1] as Peer, { treadle: 'reload-done', id: 1 });
const ENDINGS: readonly (readonly [string, readonly Step[]])[] = [
  ['both others are done', [done(2), done(3)]],
  ['one is done twice, then the other', [done(2), done(2), done(3)]],
  ['one is done, the other ends', [done(2), (reloads) => reloads.leave(3)]],
  ['one is done, the other hangs', [done(2), (_reloads, _peers, fire) => fire()]],
];
for (const [name, steps] of ENDINGS) {
  reload(`who asked is told once when ${name}`, () => {
    const { clock, fire } = createTimers();
    const { peers, sent } = createPeers(3);
    const reloads = new WorkerReloads(clock);
    for (const peer of peers) reloads.hear(peer, { treadle: 'reload-join', id: 0 });
    sent.length = 0;
    reloads.hear(peers[0] as Peer, { treadle: 'reload-ask', id: 7 });
    assert.equal(sent, ['2 reload-now 1', '3 reload-now 1']);
    for (const step of steps) {
      assert.is(sent.length, 2, 'not before the last one');
      step(reloads, peers, fire);
    }
    fire();
    assert.equal(sent.slice(2), ['1 reload-told 7']);
  });
}

reload('a worker that is alone, or that has not joined, is waited for by nobody', () => {
  const { peers, sent } = createPeers(2);
  const reloads = new WorkerReloads(createTimers().clock);
  reloads.hear(peers[0] as Peer, { treadle: 'reload-join', id: 0 });
  reloads.hear(peers[0] as Peer, { treadle: 'reload-ask', id: 3 });
  assert.equal(sent, ['1 reload-welcome 0', '1 reload-told 3']);
});

reload.run();
