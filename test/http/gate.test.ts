import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Gate } from '../../src/http/gate.ts';
import { createFakeClock } from '../clock.ts';

const test = suite('http/gate');

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function close(gate: Gate): { isDone: boolean } {
  const state = { isDone: false };
  void gate.close().then(() => {
    state.isDone = true;
  });
  return state;
}

test('closing waits for those in flight, and holds back who comes', async () => {
  const gate = new Gate(createFakeClock());
  gate.enter();
  gate.enter();
  assert.is(gate.closed, undefined);
  const closing = close(gate);
  const held = { isIn: false };
  void gate.closed?.then(() => {
    held.isIn = true;
  });
  gate.leave();
  await turn();
  assert.is(closing.isDone, false);
  gate.leave();
  await turn();
  assert.is(closing.isDone, true);
  assert.is(held.isIn, false);
  gate.open();
  await turn();
  assert.is(held.isIn, true);
  assert.is(gate.closed, undefined);
});

test('with nobody in flight it is closed at once; open twice is as open once', async () => {
  const gate = new Gate(createFakeClock());
  await gate.close();
  await gate.close();
  assert.ok(gate.closed);
  gate.open();
  gate.open();
  assert.is(gate.closed, undefined);
});

test('who does not end is waited for 5 s', async () => {
  const clock = createFakeClock();
  const gate = new Gate(clock);
  gate.enter();
  const closing = close(gate);
  clock.advance(4999);
  await turn();
  assert.is(closing.isDone, false);
  clock.advance(1);
  await turn();
  assert.is(closing.isDone, true);
  gate.leave();
  gate.open();
});

test('a reload waits for the requests that began before it, not for later ones', async () => {
  const clock = createFakeClock();
  const gate = new Gate(clock);
  const before = gate.enter();
  const passing = { isDone: false };
  void gate.passed().then(() => {
    passing.isDone = true;
  });
  gate.enter();
  await turn();
  assert.is(passing.isDone, false);
  gate.leave(before);
  await turn();
  assert.is(passing.isDone, true);
  const late = gate.passed();
  clock.advance(5000);
  await late;
});

test.run();
