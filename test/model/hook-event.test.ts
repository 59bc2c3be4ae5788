import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileHookEvent, hasRow, isRead, toEventSample } from '../../src/model/hook-event.ts';

const test = suite('model/hook-event');

const ROW = { article_id: 7, article_title: 'A day', article_words: 120, article_active: 1 };
const UPDATE = 'system-model-update';

for (const [name, hook, wanted] of [
  ['what is created is the row', { event: 'system-model-create' }, ROW],
  [
    'of some columns, those, in their order',
    { event: 'system-model-create', fields: ['article_words', 'article_id', 'article_nothing'] },
    { article_words: 120, article_id: 7 },
  ],
  [
    'an update has the first text changed',
    { event: UPDATE },
    { ...ROW, original: { ...ROW, article_title: 'A day before' }, changed: ['article_title'] },
  ],
  [
    'an update that a filter waits for has that column changed',
    { event: UPDATE, filter: { changed: { has: 'article_words' } } },
    { ...ROW, original: { ...ROW, article_words: 119 }, changed: ['article_words'] },
  ],
  [
    'an update of some columns tells of no other',
    { event: UPDATE, filter: { changed: { has: 'article_words' } }, fields: ['article_title'] },
    { article_title: 'A day', original: { article_title: 'A day' }, changed: [] },
  ],
] as const)
  test(`the sample of an event: ${name}`, () => {
    assert.equal(toEventSample(ROW, hook), wanted);
  });

test('rows come with these events, and with patterns of them', () => {
  for (const event of [UPDATE, 'system-model-restore', 'system-model-*']) assert.ok(hasRow(event), event);
  for (const event of ['system-relation-link', 'system-model-import', 'shop-order']) assert.not(hasRow(event), event);
});

for (const [wanted, event, isFired] of [
  ['system-model-create', 'system-model-create', true],
  ['system-model-create', 'system-model-creates', false],
  ['system-model-search', 'system-model-search', true],
  ['shop-order-detail', 'shop-order-detail', true],
  ['system-model-*', 'system-model-create', true],
  ['system-model-*', 'system-model-import', true],
  ['system-%s-update', 'system-model-update', true],
  ['system-model-*', 'system-relation-link', false],
  ['system-model-*', 'system-model-search', false],
  ['system-model-*', 'system-model-detail', false],
  ['*-search', 'auth-search', false],
  ['*', 'www-render-page', false],
  ['*', 'rest-resource', false],
  ['*', 'rest-access', true],
  ['shop-*', 'shop-order-detail', false],
  ['shop-*', 'shop-order-paid', true],
  ['shop-*', 'shop-research', true],
] as const)
  test(`a hook on "${wanted}" is ${isFired ? '' : 'not '}fired by "${event}"`, () => {
    assert.is(compileHookEvent(wanted)(event), isFired);
  });

test('of the events of Treadle, patterns leave these out', () => {
  const page = readFileSync(new URL('../../docs/reference/events.md', import.meta.url), 'utf8');
  const events = [...page.matchAll(/^## (\S+)$/gm)].map(([, name = '']) => name);
  assert.ok(events.length > 50);
  assert.equal(
    events.filter((event) => isRead(event) && !/-(?:search|detail)$/.test(event)),
    [
      ...[
        'admin-render-page',
        'api-expect',
        'api-refuse',
        'app-traffic',
        'oauth-introspect',
        'rest-resource',
        'webhook-figures',
      ],
      ...['www-render-blank', 'www-render-page'],
    ],
  );
});

test.run();
