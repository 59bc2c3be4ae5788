import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createScheduler } from '../../src/queue/scheduler.ts';

const wait = suite('queue/scheduler wait');

interface Call {
  readonly milliseconds: number;
  readonly isFailed: boolean;
}

/** Lanes that always have more to do. */
interface Crowd {
  readonly count: number;
  /** How long a lane's so-and-so-many-th call takes, and what comes of it. */
  readonly call: (number: number) => Call;
}

const LIVE = 'live';
const STEP_MS = 50;

/** What came of it: times in milliseconds. */
interface Result {
  /** How long each event of the live lane waited for its first attempt. */
  readonly waits: readonly number[];
  /** Calls of each other lane, the fewest first. */
  readonly counts: readonly number[];
  /** Places that the others had in the end. */
  readonly taken: number;
}

/** A lane that answers in 50 ms and has an event each second, beside those that always have more to do. */
function simulate(crowds: readonly Crowd[], seconds: number): Result {
  const lanes = createScheduler({ concurrency: 256, perLane: 16 });
  const calls = new Map<string, Crowd['call']>(
    crowds.flatMap(({ count, call }, crowd) =>
      Array.from({ length: count }, (_, index) => [`${crowd} ${index}`, call] as const),
    ),
  );
  const counts = new Map<string, number>([...calls.keys()].map((name) => [name, 0]));
  const ends = new Map<number, { readonly name: string; readonly startedAt: number; readonly isFailed: boolean }[]>();
  const events: number[] = [];
  const waits: number[] = [];
  const start = (name: string, now: number): void => {
    const number = (counts.get(name) ?? 0) + 1;
    if (name === LIVE) waits.push(now - (events.shift() ?? now));
    else counts.set(name, number);
    const { milliseconds, isFailed } = calls.get(name)?.(number) ?? { milliseconds: STEP_MS, isFailed: false };
    const at = now + milliseconds;
    ends.set(at, [...(ends.get(at) ?? []), { name, startedAt: now, isFailed }]);
  };
  lanes.took(LIVE, 2, 1, 0);
  lanes.answered(LIVE, 0, STEP_MS);
  lanes.ended(LIVE, false);
  lanes.add(calls.keys());
  for (let now = 0; now < seconds * 1000; now += STEP_MS) {
    for (const { name, startedAt, isFailed } of ends.get(now) ?? []) {
      lanes.answered(name, startedAt, now);
      lanes.ended(name, isFailed);
    }
    ends.delete(now);
    if (now % 1000 === 0) {
      events.push(now);
      lanes.add([LIVE]);
    }
    for (const [name, asked] of lanes.choose(now)) {
      const found = name === LIVE ? Math.min(asked, events.length) : asked;
      lanes.took(name, asked, found, now);
      for (let index = 0; index < found; index += 1) start(name, now);
    }
  }
  const end = seconds * 1000;
  for (const at of events) waits.push(end - at);
  const taken = [...ends.values()].flat().filter(({ name }) => name !== LIVE).length;
  return { waits, counts: [...counts.values()].sort((a, b) => a - b), taken };
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

const answers = (count: number, milliseconds: number): Crowd => ({
  count,
  call: () => ({ milliseconds, isFailed: false }),
});
const fails = (count: number, milliseconds: number): Crowd => ({
  count,
  call: () => ({ milliseconds, isFailed: true }),
});
/** Quick at first, with all places that a lane may have; then they hang until they are given up. */
const breaksDown = (count: number): Crowd => ({
  count,
  call: (number) => ({ milliseconds: number > 300 ? 15_000 : 50, isFailed: number > 300 }),
});
/** Every tenth call hangs. */
const stumbles = (count: number, milliseconds: number): Crowd => ({
  count,
  call: (number) => ({ milliseconds: number % 10 === 0 ? milliseconds : 50, isFailed: false }),
});

/** Crowds, and the places that they get at least: what nobody else wants. */
const MIXES: readonly (readonly [name: string, crowds: readonly Crowd[], places: number])[] = [
  ['16 that answer after 14 s', [answers(16, 14_000)], 160],
  ['100 that answer after 5 s', [answers(100, 5000)], 160],
  ['1000 that answer after 2 s', [answers(1000, 2000)], 160],
  ['1000 that answer after 0.9 s', [answers(1000, 900)], 224],
  ['one that answers after 5 s', [answers(1, 5000)], 16],
  ['100 that fail after 15 s', [fails(100, 15_000)], 100],
  ['400 that fail after 15 s', [fails(400, 15_000)], 128],
  ['slow and failing ones', [answers(100, 5000), fails(100, 15_000), answers(100, 2000)], 160],
  ['slow and quick ones', [answers(100, 5000), answers(50, 50)], 224],
  ['16 that break down at the same time', [breaksDown(16)], 16],
  ['40 that break down at the same time', [breaksDown(40)], 40],
  ['100 of which every tenth call takes 14 s', [stumbles(100, 14_000)], 160],
];

for (const [name, crowds, places] of MIXES)
  wait(`with ${name}: a quick lane's p99 is under a second, and every lane makes progress`, () => {
    const { waits, counts, taken } = simulate(crowds, 60);
    assert.is(waits.length, 60);
    assert.ok(percentile(waits, 0.99) < 1000, `p99 ${percentile(waits, 0.99)} ms`);
    assert.ok((counts[0] ?? 0) >= 1, 'each lane has had its turn');
    assert.ok(taken >= places, `${taken} places`);
  });

wait('slow lanes have as many turns as each other, however many began first', () => {
  const { counts } = simulate([answers(200, 3000)], 150);
  const [fewest = 0, most = 0] = [counts[0], counts.at(-1)];
  assert.ok(fewest >= 30 && most <= 2 * fewest, `${fewest} to ${most}`);
});

wait('a slow lane that becomes quick is live again', () => {
  const recovers: Crowd = { count: 100, call: (number) => ({ milliseconds: number > 4 ? 50 : 5000, isFailed: false }) };
  const { counts } = simulate([recovers], 60);
  assert.ok((counts[0] ?? 0) > 300, `${counts[0]}`);
});

wait.run();
