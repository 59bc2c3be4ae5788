import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { currentScope } from '../../../src/core/scope.ts';
import { toPattern } from '../../../src/core/text/made-text.ts';
import { currentLocaleTag, toLocalText, translate } from '../../../src/core/text/translate.ts';

const test = suite('translate');

const german = {
  tag: 'de',
  name: 'Deutsch',
  offered: [],
  isInPath: false,
  find: (source: string) => ({ 'Log in as {name}': 'Anmelden als {name}' })[source],
};

test('outside a request a text is English, with its values', () => {
  assert.is(translate('Log in as {name}', { name: 'Ada' }), 'Log in as Ada');
  assert.is(currentLocaleTag(), 'en');
});

test('inside a request the language of its scope is used; a missing translation reads in English', () => {
  currentScope.run({ locale: german }, () => {
    assert.is(translate('Log in as {name}', { name: 'Ada' }), 'Anmelden als Ada');
    assert.is(translate('Log out'), 'Log out');
    assert.is(currentLocaleTag(), 'de');
  });
});

test('a place without a value stays, and inherited properties are no values', () => {
  assert.is(translate('{a} {constructor}', { a: 0 }), '0 {constructor}');
});

const MADE: Readonly<Record<string, string>> = {
  '"{0}" is not a column of {1}.': '„{0}“ ist keine Spalte von {1}.',
  'There are {0}.': 'Es gibt {0}.',
  'There are {0} and {1} more.': 'Es gibt {0} und {1} weitere.',
  '{0} does not exist.': '{0} gibt es nicht.',
};
const speaking = {
  ...german,
  find: (source: string) => MADE[source],
  patterns: Object.keys(MADE)
    .flatMap((source) => toPattern(source) ?? [])
    .sort((a, b) => b.source.length - a.source.length),
};

for (const [text, german] of [
  ['"a" is not a column of b. There are c, d.', '„a“ ist keine Spalte von b. Es gibt c, d.'],
  ['"a" is not a column of b. There are c and 2 more.', '„a“ ist keine Spalte von b. Es gibt c und 2 weitere.'],
  ['The book "Well. Then" does not exist.', 'The book "Well. Then" gibt es nicht.'],
  ['Something else. Nothing known.', 'Something else. Nothing known.'],
] as const)
  test(`a text that was made of known sentences: ${text}`, () => {
    currentScope.run({ locale: speaking }, () => assert.is(toLocalText(text), german));
  });

test.run();
