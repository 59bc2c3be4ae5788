import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createShuffle, listDifferences, listFaults, type Shuffled, startShuffled } from './_shuffled.ts';

/** A compiled statement never reads the values of another search, whatever came before. `test/torture/shuffled.mjs` asks more. */
const test = suite('shuffled searches');
/** First pages; each that has a second page is asked for that as well. */
const FIRST_PAGES = 150;
const shuffle = createShuffle(31);
const state = {} as { site: Shuffled };

test.before(async () => {
  state.site = await startShuffled((list) => shuffle(list).slice(0, FIRST_PAGES));
});
test.after(() => state.site.close());

test('a server answers the same searches alike in any order', async () => {
  const { site } = state;
  const some = shuffle(site.all);
  const forwards = await site.answer(some);
  const statuses = new Set([...forwards.values()].map((text) => text.slice(0, 3)));
  assert.ok(statuses.has('200') && !statuses.has('500'), [...statuses].join());
  const nested = [...forwards].filter(([key]) => key.includes('expand=tag.held'));
  assert.ok(nested.every(([, text]) => text.startsWith('200')) && nested.some(([, text]) => text.includes('"held":{')));
  for (const order of [[...some].reverse(), shuffle(some)]) {
    const found = await site.answer(order);
    assert.equal(listDifferences(forwards, found).slice(0, 5), []);
    assert.equal(listFaults(some, found).slice(0, 5), []);
  }
});

test.run();
