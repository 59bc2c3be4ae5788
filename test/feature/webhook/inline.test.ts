import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOutbound } from '../../../src/outbound/http.ts';
import { createFakeClock } from '../../clock.ts';
import { createReceiver, createScript, createWorld } from './world.ts';

const inline = suite('webhook/inline');

const HOOK = { url: 'https://receiver.example/hook', delivery: 'inline' } as const;

inline('is sent after the outermost commit, and not at all where that fails', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({}));
  const world = await createWorld({ clock, outbound: script.outbound, hooks: [HOOK] });
  await world.database.transaction(async () => {
    await world.act({ profile_id: 1 });
    assert.is(script.sent.length, 0, 'nothing leaves the process inside');
  });
  assert.is(script.sent.length, 1);
  const rolledBack = world.database.transaction(async () => {
    await world.act({ profile_id: 2 });
    throw new Error('no');
  });
  await rolledBack.catch(() => {});
  await world.worker().idle();
  assert.is(script.sent.length, 1);
  await world.close();
});

inline('holds no transaction open while a receiver thinks: other writes go on', async () => {
  const clock = createFakeClock();
  const state = { answer: (): void => {} };
  const asked = new Promise<void>((resolve) => {
    state.answer = resolve;
  });
  const held: (() => void)[] = [];
  const receiver = await createReceiver((_, response) => {
    held.push(() => response.end());
    state.answer();
  });
  const outbound = createOutbound({ clock });
  const hooks = [{ url: receiver.url, delivery: 'inline' as const }];
  const world = await createWorld({ clock, outbound, hooks, isDevelopment: true });
  const done = { isDone: false };
  const acting = world.act({ profile_id: 1 }).then(() => {
    done.isDone = true;
  });
  await asked;
  await world.database.write(async () => {});
  const rows = await world.table('treadle_event');
  assert.is(rows.length, 1, 'the receiver that asks finds what it is told of');
  assert.not.ok(done.isDone, 'the action waits');
  for (const answer of held) answer();
  await acting;
  assert.is((await world.table('treadle_delivery'))[0]?.state, 'delivered');
  await world.close();
  await receiver.close();
});

inline('asks its receivers side by side', async () => {
  const clock = createFakeClock();
  const script = createScript(clock, () => ({}));
  // None is answered before all have arrived.
  const waiting: (() => void)[] = [];
  const outbound = {
    ...script.outbound,
    async send(...call: Parameters<typeof script.outbound.send>) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 6) for (const answer of waiting) answer();
      });
      return script.outbound.send(...call);
    },
  };
  const apps = Array.from({ length: 5 }, (_, index) => ({
    ...{ app_id: index, client_id: `c${index}`, url: `https://app${index}.example/`, owner_profile_id: null },
  }));
  const world = await createWorld({ clock, outbound, hooks: [HOOK], apps: () => apps });
  await world.act({ profile_id: 1 });
  assert.is(script.sent.length, 6);
  await world.close();
});

inline.run();
