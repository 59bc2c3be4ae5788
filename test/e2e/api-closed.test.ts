import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot } from '../boot.ts';

const test = suite('an API that is closed');

const PATHS = [
  ['GET', '/rest/public/article/search'],
  ['GET', '/rest/public/article/detail/1'],
  ['POST', '/rest/access'],
  ['OPTIONS', '/rest/public/article/search'],
  ['GET', '/rest/own'],
  ['POST', '/oauth/token'],
  ['GET', '/oauth/authorize?client_id=x'],
  ['GET', '/oauth/userinfo'],
  ['POST', '/oauth/revoke'],
  ['POST', '/oauth/introspect'],
  ['GET', '/dialog/request?client_id=x'],
  ['GET', '/dialog/invalid'],
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', '/.well-known/oauth-protected-resource'],
  ['GET', '/developer'],
  ['GET', '/developer/app/search'],
  ['GET', '/developer/docs'],
  ['GET', '/developer/docs/openapi.json'],
  ['GET', '/developer/webhooks/inbox'],
] as const;
const CODE = `export default function own(app) {
  app.rest({ access: 'public', method: 'get', path: '/own' }, async (request, response) => { response.succeed({}); });
}`;

for (const [title, settings, isClosed] of [
  ['an explicit false closes every door', { api: false }, true],
  ['left out, calls answer and the developer section is closed', { api: undefined }, false],
] as const) {
  test(title, async () => {
    const site = await boot({ settings, change: (project) => project.addController('own', CODE) });
    try {
      for (const [method, path] of PATHS) {
        const { status } = await site.send(method, path);
        const isMissing = status === 404;
        const expected = isClosed || path.startsWith('/developer') || path.includes('/detail/');
        assert.is(isMissing, expected, `${method} ${path}: ${status}`);
      }
      assert.is((await site.get('/articles')).status, 200);
      assert.not.match((await site.get('/articles')).text, 'href="/developer');
    } finally {
      await site.close();
    }
  });
}

test.run();
