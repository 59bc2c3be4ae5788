import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHarness, type Harness } from './_harness.ts';

/** W3C Trace Context: the trace id of a request is in its log lines. */
const trace = suite<{ harness: Harness }>('http/trace');

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

trace.before(async (world) => {
  world.harness = await createHarness({
    isAccessLogged: true,
    routes: {
      'GET /good': (_request, response) => void response.setContent('good'),
      'GET /bad': () => {
        throw new Error('a fault of the handler');
      },
    },
  });
});
trace.after(({ harness }) => harness.remove());

const CASES: readonly (readonly [string | undefined, string | undefined])[] = [
  [`00-${ID}-${SPAN}-01`, ID],
  [`cc-${ID}-${SPAN}-01-of-a-later-version`, ID],
  [`00-${ID}-${SPAN}`, undefined],
  [`ff-${ID}-${SPAN}-01`, undefined],
  [`00-${'0'.repeat(32)}-${SPAN}-01`, undefined],
  [`00-${ID}-${'0'.repeat(16)}-01`, undefined],
  [`00-${ID.toUpperCase()}-${SPAN}-01`, undefined],
  ['"},{"level":"error"', undefined],
  [undefined, undefined],
];

for (const [traceparent, expected] of CASES)
  trace(`${traceparent ?? 'none'} gives ${expected ?? 'no trace'}`, async ({ harness }) => {
    for (const [path, events] of [
      ['/good', ['request']],
      ['/bad', ['request', 'request failed']],
      ['/none', ['request']],
    ] as const) {
      harness.lines.length = 0;
      await (await fetch(harness.url + path, { headers: traceparent === undefined ? {} : { traceparent } })).text();
      const found = harness.lines.filter(({ event }) => (events as readonly string[]).includes(event));
      assert.is(found.length, events.length, path);
      for (const { event, fields } of found) assert.is(fields.trace, expected, `${path}: ${event}`);
    }
  });

trace.run();
