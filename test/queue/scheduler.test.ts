import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createScheduler, type Scheduler } from '../../src/queue/scheduler.ts';

const lane = suite('lane');

const sum = (chosen: ReadonlyMap<string, number>) => [...chosen.values()].reduce((all, count) => all + count, 0);

/** Chooses and takes, as where every lane has as many jobs as are asked for. */
function take(lanes: Scheduler): Map<string, number> {
  const chosen = lanes.choose(0);
  for (const [name, asked] of chosen) lanes.took(name, asked, asked, 0);
  return chosen;
}

/** Ends calls that took so many milliseconds. */
function end(lanes: Scheduler, name: string, count: number, isFailed = false, milliseconds = 0): void {
  for (let index = 0; index < count; index += 1) {
    lanes.answered(name, 0, milliseconds);
    lanes.ended(name, isFailed);
  }
}

/** Lets a lane answer once. */
function know(lanes: Scheduler, name: string, milliseconds = 0): void {
  lanes.took(name, 2, 1, 0);
  end(lanes, name, 1, false, milliseconds);
}

lane('starts with one, doubles with each success, falls to one with a failure', () => {
  const lanes = createScheduler({ concurrency: 100, perLane: 4 });
  lanes.add(['a']);
  for (const expected of [1, 2, 4, 4]) {
    assert.is(take(lanes).get('a'), expected);
    assert.is(lanes.choose(0).size, 0, 'what is under way counts');
    end(lanes, 'a', expected);
  }
  take(lanes);
  end(lanes, 'a', 4, true);
  assert.is(take(lanes).get('a'), 1);
});

lane('serves lanes in turn', () => {
  const lanes = createScheduler({ concurrency: 2, perLane: 4 });
  for (const name of ['a', 'b', 'c']) know(lanes, name);
  lanes.add(['a', 'b', 'c']);
  const turns = [0, 1, 2].map(() => {
    const names = [...take(lanes).keys()];
    for (const name of names) end(lanes, name, 1);
    return names;
  });
  assert.equal(turns, [
    ['a', 'b'],
    ['c', 'a'],
    ['b', 'c'],
  ]);
});

lane('gives one lane what the others do not want', () => {
  const lanes = createScheduler({ concurrency: 9, perLane: 16 });
  lanes.add(['a', 'b']);
  for (let turn = 0; turn < 4; turn += 1) for (const [name, count] of take(lanes)) end(lanes, name, count);
  know(lanes, 'b');
  const [first, second] = [take(lanes), lanes.choose(0)];
  assert.equal(
    first,
    new Map([
      ['a', 4],
      ['b', 4],
    ]),
  );
  assert.is(second.size, 0);
  end(lanes, 'a', 4);
  end(lanes, 'b', 4);
  const again = lanes.choose(0);
  lanes.took('a', again.get('a') ?? 0, again.get('a') ?? 0, 0);
  lanes.took('b', again.get('b') ?? 0, 0, 0);
  assert.equal(lanes.choose(0), new Map([['a', 4]]), 'b had nothing more');
});

lane('waits no more for a lane that had less than was asked for, until it is named again', () => {
  const lanes = createScheduler({ concurrency: 8, perLane: 4 });
  lanes.add(['a']);
  assert.is(lanes.choose(0).get('a'), 1);
  // A job that was enqueued while the table was asked.
  lanes.add(['a']);
  lanes.took('a', 1, 0, 0);
  assert.is(lanes.choose(0).get('a'), 1);
  lanes.took('a', 1, 0, 0);
  assert.is(lanes.choose(0).size, 0);
});

const named = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

lane('gives each health its share of the places, and what it does not take to the better ones', () => {
  const lanes = createScheduler({ concurrency: 16, perLane: 4 });
  const steps: readonly (readonly [names: string[], taken: number, prepare: (name: string) => void])[] = [
    [named('failing', 20), 8, (name) => lanes.distrust([name])],
    [named('slow', 20), 2, (name) => know(lanes, name, 1000)],
    [named('new', 20), 2, () => {}],
    [named('steady', 20), 2, (name) => know(lanes, name, 999)],
    [['quick'], 1, (name) => know(lanes, name, 249)],
    [['idle', 'too many'], 1, (name) => know(lanes, name)],
  ];
  for (const [names, taken, prepare] of steps) {
    names.forEach(prepare);
    lanes.add(names);
    assert.is(sum(take(lanes)), taken, names[0]);
  }
  assert.is(lanes.free, 0);
  // Nothing worse takes a place of its betters, nor does a lane that has one already.
  end(lanes, 'idle', 1);
  assert.equal([...take(lanes).keys()], ['too many']);
  end(lanes, 'too many', 1);
  end(lanes, 'failing0', 1, true);
  assert.equal([...take(lanes).keys()].slice(0, 1), ['failing8'], 'in turn');
});

/** A lane that is asked whether it is slow: slow ones have taken all that they may. */
function createJudge() {
  const lanes = createScheduler({ concurrency: 8, perLane: 5 });
  know(lanes, 'slow', 5000);
  lanes.took('slow', 6, 5, 0);
  const isLive = (now = 0) => {
    lanes.add(['a']);
    return lanes.choose(now).has('a');
  };
  return { lanes, isLive };
}

lane('takes a lane for slow that has had no answer for a second', () => {
  const { lanes, isLive } = createJudge();
  know(lanes, 'a');
  lanes.took('a', 2, 1, 1000);
  assert.equal([1000, 1999, 2000].map(isLive), [true, true, false]);
  // Its answer is still being written down.
  lanes.answered('a', 1000, 1500);
  assert.is(isLive(9000), true);
});

lane('takes a lane for slow by the mean of its calls, and no more after a few', () => {
  const { lanes, isLive } = createJudge();
  const judge = (milliseconds: number) => {
    know(lanes, 'a', milliseconds);
    return isLive() ? 'live' : 'slow';
  };
  assert.equal([50, 2000, 1500, 1500, 1500].map(judge), ['live', 'live', 'live', 'live', 'slow']);
  // A call of a day, as where the clock leapt, weighs no more than one of 15 s.
  judge(86_400_000);
  const calls = Array.from({ length: 12 }, () => judge(50));
  assert.is(calls.indexOf('live'), 5);
  assert.is(calls.lastIndexOf('slow'), 4);
});

lane('remembers ten thousand lanes and forgets those before', () => {
  const lanes = createScheduler({ concurrency: 8, perLane: 4 });
  for (let index = 0; index < 12_000; index += 1) know(lanes, `${index}`);
  lanes.add(['0', '11999']);
  assert.equal(
    lanes.choose(0),
    new Map([
      ['0', 1],
      ['11999', 2],
    ]),
  );
});

lane('never takes a lane for slow that waits for nobody outside', () => {
  const lanes = createScheduler({ concurrency: 8, perLane: 4, isOwn: (name) => name === 'own' });
  know(lanes, 'slow', 5000);
  lanes.took('slow', 7, 6, 0);
  for (const expected of [1, 1]) {
    lanes.add(['own']);
    assert.is(lanes.choose(0).get('own'), expected);
    know(lanes, 'own', 5000);
  }
});

lane('lets a lane in that answers, however many wait that fail', () => {
  const lanes = createScheduler({ concurrency: 256, perLane: 16 });
  know(lanes, 'live');
  const dead = named('dead', 20_000);
  lanes.distrust(dead.slice(0, 9000));
  lanes.add(dead);
  take(lanes);
  lanes.add(named('more', 200));
  lanes.add(['live']);
  assert.is(take(lanes).get('live'), 2);
});

lane('takes nothing of a lane that rests, and then what waited meanwhile', () => {
  const lanes = createScheduler({ concurrency: 8, perLane: 4 });
  lanes.add(['a', 'b']);
  lanes.rest('a', 1000);
  lanes.rest('a', 500);
  lanes.add(['a']);
  assert.equal([...lanes.choose(999).keys()], ['b']);
  assert.equal([...lanes.choose(1000).keys()], ['a']);
  assert.is(lanes.choose(1001).size, 0, 'it was chosen once');
});

lane('forgets first what ended nothing for long', () => {
  const lanes = createScheduler({ concurrency: 256, perLane: 16 });
  for (const name of ['live', ...named('dead', 6000), 'live', ...named('mute', 6000)]) {
    const isLive = name === 'live';
    lanes.took(name, 2, 1, 0);
    end(lanes, name, 1, !isLive, isLive ? 50 : 15_000);
  }
  lanes.add(['live']);
  assert.is(take(lanes).get('live'), 4);
});

lane.run();
