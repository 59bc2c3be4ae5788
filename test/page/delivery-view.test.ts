import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toPattern } from '../../src/core/text/made-text.ts';
import { inLocale, type Locale } from '../../src/core/text/translate.ts';
import {
  type LoggedAttempt,
  toAttemptView,
  toDeliveryView,
  toReceiverView,
  toSkippedText,
} from '../../src/page/delivery-view.ts';

const test = suite('developer/delivery-view');

const german: Readonly<Record<string, string>> = {
  'The app {0} is suspended.': 'Die App {0} ist gesperrt.',
  'This URL no longer receives the web hook.': 'Diese URL erhält den Webhook nicht mehr.',
  'It answered 410 Gone.': 'Er hat mit 410 Gone geantwortet.',
};
const patterns = Object.keys(german).flatMap((source) => toPattern(source) ?? []);
const locale: Locale = {
  tag: 'de',
  name: 'Deutsch',
  find: (source) => german[source],
  patterns,
  offered: [],
  isInPath: false,
};
const GONE = 'This URL no longer receives the web hook.';
const attempt = { number: 1, at: 0, status: null, milliseconds: 1, request_head: null, response_head: null };

const cases: readonly (readonly [name: string, show: () => unknown, text: string])[] = [
  [
    'the reason that a replay skips a receiver',
    () => toSkippedText({ skipped: [{ reason: 'The app Reader is suspended.' }] }),
    ' Die App Reader ist gesperrt.',
  ],
  [
    'the end of a delivery',
    () => toDeliveryView({ state: 'failed', error: GONE }).reason,
    'Diese URL erhält den Webhook nicht mehr.',
  ],
  [
    'the error of an attempt',
    () => toAttemptView({ ...attempt, error: GONE, response_body: null } as LoggedAttempt).error,
    'Diese URL erhält den Webhook nicht mehr.',
  ],
  [
    'why a receiver is disabled',
    () => toReceiverView({ state: 'disabled', title: 'x', disabled_reason: 'It answered 410 Gone.' }).reason,
    'Er hat mit 410 Gone geantwortet.',
  ],
  [
    'what the system says, as it is',
    () => toDeliveryView({ state: 'failed', error: 'connect ECONNREFUSED 127.0.0.1:9' }).reason,
    'connect ECONNREFUSED 127.0.0.1:9',
  ],
  ['no error', () => String(toDeliveryView({ state: 'delivered', error: null }).error), 'null'],
];

for (const [name, show, text] of cases)
  test(`a page shows in its language: ${name}`, () => {
    assert.is(inLocale(locale, show), text);
  });

test.run();
