import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findSandboxTarget } from '../../../src/app/sandbox/address.ts';

const NAME = 'abcdefghij0123456789ab';

const TABLE: readonly (readonly [string, string | undefined | null])[] = [
  // A path of the site.
  ['/', null],
  ['/rest/public/article/search?path=/sandbox/', null],
  ['/articles/sandbox', null],
  // What a sandbox answers.
  [`/sandbox/${NAME}/rest/public/article/search?limit=1`, '/rest/public/article/search?limit=1'],
  [`/sandbox/${NAME}/rest`, '/rest'],
  [`/sandbox/${NAME}/oauth/token`, '/oauth/token'],
  [`/sandbox/${NAME}/dialog/request?client_id=x`, '/dialog/request?client_id=x'],
  [`/sandbox/${NAME}/auth/login`, '/auth/login'],
  [`/sandbox/${NAME}/upload/a.png`, '/upload/a.png'],
  [`/sandbox/${NAME}/favicon.svg?v=1`, '/favicon.svg?v=1'],
  [`/sandbox/${NAME}/developer/docs/openapi.json`, '/developer/docs/openapi.json'],
  [`/.well-known/oauth-authorization-server/sandbox/${NAME}`, '/.well-known/oauth-authorization-server'],
  [`/.well-known/oauth-authorization-server/shop/sandbox/${NAME}`, '/.well-known/oauth-authorization-server'],
  // What it does not answer.
  [`/sandbox/${NAME}`, undefined],
  [`/sandbox/${NAME}/`, undefined],
  [`/sandbox/${NAME}/admin`, undefined],
  [`/sandbox/${NAME}/restore`, undefined],
  [`/sandbox/${NAME}/developer/app/search`, undefined],
  [`/sandbox/${NAME}/__treadle/mail`, undefined],
  [`/sandbox/${NAME}/rest/../admin`, undefined],
  [`/sandbox/${NAME}/rest/%2e%2e/admin`, undefined],
  [`/sandbox/${NAME}/rest/.%2E/admin`, undefined],
  [`/sandbox/${NAME}//admin`, undefined],
  [`/sandbox/${NAME}/rest/..%2fadmin`, undefined],
  [`/sandbox/${NAME}/rest%5C..%5Cadmin`, undefined],
  [`/sandbox/${NAME}/rest\\..\\admin`, undefined],
  [`/sandbox/${NAME}/rest//admin`, undefined],
  // No name of a sandbox.
  ['/sandbox/../rest/x', undefined],
  ['/sandbox/%2e%2e/rest/x', undefined],
  [`/sandbox/${NAME.toUpperCase()}/rest/x`, undefined],
  [`/sandbox/${NAME}a/rest/x`, undefined],
];

for (const [target, url] of TABLE) {
  test(target, () => {
    const found = findSandboxTarget(target);
    if (url === null) assert.is(found, undefined);
    else assert.is(found?.url, url);
    if (url === undefined) assert.ok(found);
  });
}

test.run();
