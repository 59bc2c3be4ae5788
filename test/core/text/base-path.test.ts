import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { putBasePath, takeBasePath, toBasePath, toCookieName } from '../../../src/core/text/base-path.ts';

const test = suite('base path');

test('is the path of the base URL', () => {
  const cases = [
    ['https://example.org', ''],
    ['http://a', ''],
    ['http://a/b', '/b'],
    ['https://example.org:8443/blog', '/blog'],
    ['https://[::1]/a/b', '/a/b'],
    ['', ''],
  ] as const;
  for (const [url, path] of cases) assert.is(toBasePath(url), path, url);
});

test('is taken off as whole segments, once', () => {
  const cases = [
    ['/blog', '/'],
    ['/blog/', '/'],
    ['/blog?a=1', '/?a=1'],
    ['/blog/admin/x', '/admin/x'],
    ['/blog/blog/x', '/blog/x'],
    ['/blog//evil.example', '//evil.example'],
    // What does not begin with it is asked for as it is, so that guards and routes see one path.
    ['/blogger', '/blogger'],
    ['/Blog/x', '/Blog/x'],
    ['/%62log/x', '/%62log/x'],
    ['//blog/x', '//blog/x'],
    ['/blog%2Fx', '/blog%2Fx'],
    ['/', '/'],
    ['*', '*'],
  ] as const;
  for (const [path, bare] of cases) assert.is(takeBasePath('/blog', path), bare, path);
  assert.is(takeBasePath('', '/blog/x'), '/blog/x');
});

test('is put before local addresses only, and once', () => {
  const cases = [
    ['/', '/blog/'],
    ['/?q=1', '/blog/?q=1'],
    ['/article/1#a', '/blog/article/1#a'],
    ['/blogger', '/blog/blogger'],
    ['/blog', '/blog'],
    ['/blog/x', '/blog/x'],
    ['/blog?x', '/blog?x'],
    ['//evil.example', '//evil.example'],
    ['/\\evil.example', '/\\evil.example'],
    ['https://example.org/x', 'https://example.org/x'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['x', 'x'],
    ['?x', '?x'],
    ['#x', '#x'],
    ['', ''],
  ] as const;
  for (const [address, made] of cases) {
    assert.is(putBasePath('/blog', address), made, address);
    assert.is(putBasePath('/blog', made), made, `twice: ${address}`);
    assert.is(putBasePath('', address), address);
  }
});

test('takes the name of a cookie from the host', () => {
  assert.is(toCookieName('sid', false, ''), 'sid');
  assert.is(toCookieName('sid', false, '/blog'), 'sid');
  assert.is(toCookieName('sid', true, ''), '__Host-sid');
  assert.is(toCookieName('sid', true, '/blog'), '__Secure-sid');
});

test.run();
