import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLanes, type Lanes } from '../../src/queue/lane.ts';

const lane = suite('lane');

const sum = (chosen: ReadonlyMap<string, number>) => [...chosen.values()].reduce((all, count) => all + count, 0);

/** Chooses and takes, as where every lane has as many jobs as are asked for. */
function take(lanes: Lanes): Map<string, number> {
  const chosen = lanes.choose();
  for (const [name, asked] of chosen) lanes.took(name, asked, asked);
  return chosen;
}

function end(lanes: Lanes, name: string, count: number, isFailed = false): void {
  for (let index = 0; index < count; index += 1) lanes.ended(name, isFailed);
}

lane('starts with one, doubles with each success, falls to one with a failure', () => {
  const lanes = createLanes({ concurrency: 100, perLane: 4 });
  lanes.add(['a']);
  for (const expected of [1, 2, 4, 4]) {
    assert.is(take(lanes).get('a'), expected);
    assert.is(lanes.choose().size, 0, 'what is under way counts');
    end(lanes, 'a', expected);
  }
  take(lanes);
  end(lanes, 'a', 4, true);
  assert.is(take(lanes).get('a'), 1);
});

lane('serves lanes in turn', () => {
  const lanes = createLanes({ concurrency: 2, perLane: 4 });
  for (const name of ['a', 'b', 'c']) {
    lanes.took(name, 2, 1);
    lanes.ended(name, false);
  }
  lanes.add(['a', 'b', 'c']);
  const turns = [0, 1, 2].map(() => {
    const names = [...take(lanes).keys()];
    for (const name of names) lanes.ended(name, false);
    return names;
  });
  assert.equal(turns, [
    ['a', 'b'],
    ['c', 'a'],
    ['b', 'c'],
  ]);
});

lane('gives one lane what the others do not want', () => {
  const lanes = createLanes({ concurrency: 8, perLane: 16 });
  lanes.add(['a', 'b']);
  for (let turn = 0; turn < 4; turn += 1) for (const [name, count] of take(lanes)) end(lanes, name, count);
  lanes.took('b', 2, 1);
  lanes.ended('b', false);
  const [first, second] = [take(lanes), lanes.choose()];
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
  const again = lanes.choose();
  lanes.took('a', again.get('a') ?? 0, again.get('a') ?? 0);
  lanes.took('b', again.get('b') ?? 0, 0);
  assert.equal(lanes.choose(), new Map([['a', 4]]), 'b had nothing more');
});

lane('waits no more for a lane that had less than was asked for, until it is named again', () => {
  const lanes = createLanes({ concurrency: 8, perLane: 4 });
  lanes.add(['a']);
  assert.is(lanes.choose().get('a'), 1);
  // A job that was enqueued while the table was asked.
  lanes.add(['a']);
  lanes.took('a', 1, 0);
  assert.is(lanes.choose().get('a'), 1);
  lanes.took('a', 1, 0);
  assert.is(lanes.choose().size, 0);
});

lane('gives failing lanes together at most half of the places, and with new ones three quarters', () => {
  const lanes = createLanes({ concurrency: 8, perLane: 4 });
  const named = (prefix: string) => Array.from({ length: 10 }, (_, index) => `${prefix}${index}`);
  lanes.distrust(named('failing'));
  lanes.add(named('failing'));
  assert.is(sum(take(lanes)), 4);
  lanes.add(named('new'));
  assert.is(sum(take(lanes)), 2);
  assert.is(lanes.free, 2);
  // One that answered.
  lanes.took('live', 1, 1);
  lanes.ended('live', false);
  lanes.add(['live']);
  assert.equal(take(lanes), new Map([['live', 2]]));
  assert.is(lanes.free, 0);
  end(lanes, 'live', 2);
  end(lanes, 'failing0', 1);
  assert.is(lanes.free, 3);
});

lane('remembers ten thousand lanes and forgets those before', () => {
  const lanes = createLanes({ concurrency: 8, perLane: 4 });
  for (let index = 0; index < 12_000; index += 1) {
    lanes.took(`${index}`, 2, 1);
    lanes.ended(`${index}`, false);
  }
  lanes.add(['0', '11999']);
  assert.equal(
    lanes.choose(),
    new Map([
      ['0', 1],
      ['11999', 2],
    ]),
  );
});

lane.run();
