import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { currentScope } from '../../../src/core/scope.ts';
import { currentLocaleTag, translate } from '../../../src/core/text/translate.ts';

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

test.run();
