import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LogSink, type LogSinkOptions } from '../../../src/core/log/sink.ts';
import { createFakeClock, type FakeClock } from '../../clock.ts';

interface World {
  readonly clock: FakeClock;
  readonly sink: LogSink;
  /** The received text. */
  text: string;
  /** Bytes that the reader accepts before it stalls; `gone` if it has ended. */
  room: number | 'gone';
}

function createWorld(options: Partial<LogSinkOptions> = {}): World {
  const clock = createFakeClock();
  const world: { text: string; room: number | 'gone' } = { text: '', room: Number.POSITIVE_INFINITY };
  const sink = new LogSink({
    clock,
    limitBytes: 100,
    toNotice: (dropped) => `dropped ${dropped}`,
    write(bytes) {
      if (world.room === 'gone') throw Object.assign(new Error('broken pipe'), { code: 'EPIPE' });
      if (world.room === 0) throw Object.assign(new Error('try again'), { code: 'EAGAIN' });
      const taken = Math.min(world.room, bytes.length);
      world.room -= taken;
      world.text += Buffer.from(bytes.subarray(0, taken)).toString();
      return taken;
    },
    ...options,
  });
  return Object.assign(world, { clock, sink });
}

const test = suite('core/log/sink');

test('gathers lines into one write, or writes each at once', () => {
  const world = createWorld();
  world.sink.line('a');
  world.sink.line('b');
  assert.is(world.text, '');
  world.clock.advance(50);
  assert.is(world.text, 'a\nb\n');
  const direct = createWorld({ gatherMs: 0 });
  direct.sink.line('a');
  assert.is(direct.text, 'a\n');
});

test('a slow reader gets every line that the buffer held, cut nowhere, then the count of the others', () => {
  const world = createWorld();
  world.room = 15;
  const lines = Array.from({ length: 20 }, (_, index) => `line ${String(index).padStart(2, '0')}é`);
  for (const line of lines) world.sink.line(line);
  world.clock.advance(50);
  assert.ok(world.sink.isSlow);
  for (const line of lines) world.sink.line(line);
  const { dropped } = world.sink;
  assert.ok(dropped > 20, `dropped ${dropped}`);
  world.room = Number.POSITIVE_INFINITY;
  world.clock.advance(100);
  const got = world.text.split('\n').slice(0, -1);
  assert.is(got.pop(), `dropped ${dropped}`);
  assert.is(got.length + dropped, 40);
  for (const line of got) assert.ok(lines.includes(line), line);
  world.sink.line('after');
  world.clock.advance(50);
  assert.ok(world.text.endsWith('\nafter\n'), 'the count is reported once');
});

test('a reader that is gone loses lines, which are counted for the next one', () => {
  const world = createWorld();
  world.room = 'gone';
  for (const text of ['a', 'b']) world.sink.line(text);
  world.clock.advance(50);
  world.sink.line('c');
  world.clock.advance(50);
  assert.is(world.sink.dropped, 3);
  world.room = Number.POSITIVE_INFINITY;
  world.sink.line('d');
  world.clock.advance(50);
  assert.is(world.text, 'd\ndropped 3\n');
});

test.run();
