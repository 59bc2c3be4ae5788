// Also on PostgreSQL: every type comes back as it went in.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { importFile, startTrip, tryRoundTrip } from './_round-trip.ts';

const test = suite('round trip');

test('every type comes back as it went in, by every way in and out', async () => {
  const { cells, differences } = await tryRoundTrip({ isTried: (index) => index % 20 === 7 });
  assert.ok(cells > 1000, `${cells} cells`);
  assert.equal(differences, []);
});

/** A body that is refused, with its status and what the answer names. */
const REFUSED: readonly (readonly [body: string, status: number, said: RegExp])[] = [
  ['{"thing_text":901656910939770881}', 400, /thing_text.*901656910939770881/],
  ['{"thing_number":9007199254740993}', 400, /thing_number.*9007199254740993/],
  ['{"thing_number":"9007199254740993"}', 422, /thing_number/],
  ['{"thing_json":{"a":[9007199254740993]}}', 400, /9007199254740993/],
  ['{"thing_float":1e309}', 422, /thing_float/],
  ['{"thing_price":0.001}', 422, /thing_price/],
  ['{"thing_money":"0.001"}', 422, /thing_money/],
  ['{"thing_money":12.505}', 422, /thing_money/],
  ['{"thing_money":"10000000000000"}', 422, /thing_money/],
  ['{"thing_tiny":"1"}', 422, /thing_tiny/],
  ['{"thing_text":"\\ud83d"}', 422, /thing_text.*surrogate/],
  ['{"thing_tag":["\\udc00"]}', 422, /thing_tag.*surrogate/],
  ['{"thing_json":{"\\ud83d":1}}', 422, /thing_json.*surrogate/],
  ['{"thing_created":"2026-01-01 00:00:00"}', 400, /thing_created/],
  ['{"thing_active":0}', 400, /thing_active/],
];

test('what no column can keep is refused with its key, and in a file with its line', async () => {
  const site = await startTrip();
  try {
    for (const [body, status, said] of REFUSED) {
      const headers = { 'content-type': 'application/json' };
      const answer = await site.send('POST', '/rest/public/thing/create', { body, headers });
      assert.is(answer.status, status, `${body}: ${answer.text}`);
      assert.match(answer.text, said);
      if (/created|updated|active/.test(body)) continue;
      const text = `{"thing_cell":"a"}\n${body}\n`;
      const error = await importFile(site, 'rows.ndjson', text).then(() => undefined, String);
      assert.match(error ?? 'It was taken.', /line 2|"(?:line|row)": 2/, `${body}: ${error}`);
    }
    assert.equal(await site.rows('thing'), []);
  } finally {
    await site.close();
  }
});

test('-0 is stored as 0', async () => {
  const site = await startTrip();
  try {
    for (const value of [-0, '-0', '-0.0'])
      await site.emit('system-model-create', { schema: 'thing', thing_float: value, thing_price: value });
    for (const row of await site.rows('thing')) {
      assert.ok(Object.is(row.thing_float, 0));
      assert.ok(Object.is(row.thing_price, 0));
    }
  } finally {
    await site.close();
  }
});

test.run();
