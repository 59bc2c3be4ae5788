import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLanes } from '../../src/queue/lane.ts';

const lane = suite('lane');
const jobs = (name: string, count: number) => Array.from({ length: count }, () => ({ lane: name }));
const names = (chosen: readonly { lane: string }[]) => chosen.map((job) => job.lane);

lane('starts with one, doubles with each success, falls to one with a failure', () => {
  const lanes = createLanes({ concurrency: 100, perLane: 4 });
  const width = () => lanes.choose(jobs('a', 10)).length;
  assert.is(width(), 1);
  for (const expected of [2, 4, 4]) {
    lanes.began('a');
    lanes.ended('a', false);
    assert.is(width(), expected);
  }
  lanes.began('a');
  assert.is(width(), 3, 'what is under way counts');
  lanes.ended('a', true);
  assert.is(width(), 1);
});

lane('serves lanes in turn', () => {
  const lanes = createLanes({ concurrency: 2, perLane: 4 });
  const waiting = ['a', 'b', 'c'].flatMap((name) => jobs(name, 3));
  assert.equal(names(lanes.choose(waiting)), ['a', 'b']);
  assert.equal(names(lanes.choose(waiting)), ['c', 'a']);
  assert.equal(names(lanes.choose(waiting)), ['b', 'c']);
});

lane('gives failing lanes together at most half of the places', () => {
  const lanes = createLanes({ concurrency: 10, perLane: 4 });
  const failing = Array.from({ length: 10 }, (_, index) => `f${index}`);
  for (const name of failing) {
    lanes.began(name);
    lanes.ended(name, true);
  }
  const chosen = names(lanes.choose(failing.flatMap((name) => jobs(name, 2))));
  assert.is(chosen.length, 5);
  for (const name of chosen) lanes.began(name);
  assert.is(lanes.free, 5);
  assert.equal(lanes.choose(failing.flatMap((name) => jobs(name, 2))), []);
  assert.equal(names(lanes.choose(jobs('new', 2))), ['new']);
  lanes.ended(chosen[0] ?? '', false);
  assert.is(lanes.choose(failing.flatMap((name) => jobs(name, 2))).length > 0, true);
});

lane.run();
