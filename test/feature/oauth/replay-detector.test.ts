import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findReplayDetector } from '../../../src/feature/oauth/token/replay-detector.ts';
import type { Services } from '../../../src/plan/feature.ts';

const race = suite('race or replay');

const create = () => {
  const clock = { at: 1000 };
  const services = { clock: { now: () => clock.at } } as unknown as Services;
  return { clock, services, race: findReplayDetector(services) };
};
const code = (more: object = {}) => ({ code_hash: 'h', consumed_at: 1000, committed_at: null, ...more });

race('who arrived before the commit lost a race, also within one millisecond', async () => {
  const { race: one, services } = create();
  const before = one.arrive('h');
  one.hold('h');
  assert.not(one.isReplay(code({ committed_at: 1 }), one.arrive('h')), 'committed, but not noted yet');
  const noted = one.commit('h');
  const meanwhile = one.arrive('h');
  await noted;
  assert.not(one.isReplay(code(), meanwhile), 'the kernel had it');
  const after = findReplayDetector(services).arrive('h');
  assert.not(one.isReplay(code(), before));
  assert.ok(one.isReplay(code(), after));
});

race('without a memory of the commit the times of the row decide', () => {
  const { race: one, clock } = create();
  assert.not(one.isReplay(code({ committed_at: 1000 }), one.arrive('h')));
  assert.not(one.isReplay(code(), one.arrive('h')), 'the winner may be about to note its commit');
  clock.at = 1100;
  assert.not(
    one.isReplay(code({ committed_at: 1000 }), one.arrive('h')),
    'it waited to be read, while another committed',
  );
  clock.at = 1101;
  assert.ok(one.isReplay(code({ committed_at: 1000 }), one.arrive('h')));
  clock.at = 11_001;
  assert.ok(one.isReplay(code(), one.arrive('h')), 'it died before it could');
});

race('two apps in one process know nothing of each other', async () => {
  const a = create();
  const b = create();
  await a.race.commit('h');
  assert.not(b.race.isReplay(code({ committed_at: 1000 }), b.race.arrive('h')));
});

race('forgets a released hold', () => {
  const { race: one, clock } = create();
  one.hold('h');
  clock.at = 20_000;
  assert.not(one.isReplay(code(), one.arrive('h')));
  one.release('h');
  assert.ok(one.isReplay(code(), one.arrive('h')));
});

race.run();
