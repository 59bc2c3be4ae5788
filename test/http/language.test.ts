import type { IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BoundedMap } from '../../src/core/bounded-map.ts';
import type { Locale } from '../../src/core/text/translate.ts';
import { chooseLanguage } from '../../src/http/language.ts';
import type { Languages } from '../../src/plan/language/languages.ts';

const test = suite('http/language');

/** What a site offers, what a browser accepts, and what it gets. */
const TABLE: readonly (readonly [offered: string, accepted: string, chosen: string])[] = [
  ['en zh-Hans zh-Hant', 'zh-TW', 'zh-Hant'],
  ['en zh-Hans zh-Hant', 'zh-HK', 'zh-Hant'],
  ['en zh-Hans zh-Hant', 'zh-CN', 'zh-Hans'],
  ['en zh-Hans zh-Hant', 'zh', 'zh-Hans'],
  ['en zh-Hant zh-Hans', 'zh-SG', 'zh-Hans'],
  ['en zh zh-TW', 'zh-Hant', 'zh-TW'],
  ['en zh-HK zh-TW', 'zh-Hant-TW', 'zh-TW'],
  ['en zh-Hans', 'zh-TW', 'zh-Hans'],
  ['en sr sr-Latn', 'sr-Latn-RS', 'sr-Latn'],
  ['en sr-Latn sr-Cyrl', 'sr', 'sr-Cyrl'],
  ['en he', 'iw', 'he'],
  ['en id', 'in-ID', 'id'],
  ['en de de-AT', 'de-at', 'de-AT'],
  ['en de de-AT', 'de-CH', 'de'],
  ['en de-AT', 'de', 'de-AT'],
  ['en pt-BR pt', 'pt-PT', 'pt'],
  ['en-GB en-US', 'en', 'en-GB'],
  ['en-GB en-US', 'en-US', 'en-US'],
  ['en de', 'fr, de;q=0.5', 'de'],
  ['en de', 'fr', 'en'],
  ['en de', '*', 'en'],
  ['en de', 'x-y, %, de', 'de'],
];

test('a reader gets the language in the script that it is read in', () => {
  for (const [tags, accepted, chosen] of TABLE) {
    const offered = tags.split(' ').map((tag) => ({ tag }) as Locale);
    const languages = { offered, isInPath: false, byHeader: new BoundedMap<Locale>(500) } as unknown as Languages;
    const req = { headers: { 'accept-language': accepted } } as unknown as IncomingMessage;
    assert.is(chooseLanguage(languages, '/', req).locale.tag, chosen, `${tags}: ${accepted}`);
  }
});

test.run();
