import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mapAddresses, mapRefresh, putBasePathInHtml } from '../../../src/core/text/html-address.ts';

const test = suite('addresses in HTML');
const put = (html: string): string => putBasePathInHtml('/base', html);

/** Each `@` is where the base path is put. */
const CHANGED = [
  '<a href="@/x">x</a>',
  "<a href='@/x'>",
  '<a href=@/x>',
  '<a href=@/x/>',
  '<a\n  class="y"\n  href = "@/x"\n>',
  '<A HREF="@/x">',
  '<a/href="@/x">',
  '<a href=" @/x ">',
  '<a title=it\'s href="@/x">',
  '<a title="a > b" href="@/x">',
  '<a title="<a href=/no>" href="@/x">',
  '<a data-x="&quot; href=&quot;/no" href="@/x">',
  '<form action="@/x" method="post"><button formaction="@/y"></form>',
  '<link rel="stylesheet" href="@/styles/app.css?v=1">',
  '<script src="@/x.js" data-index="@/i.js" defer></script>',
  '<img src="@/x.png" srcset="@/x.png?width=1 1w, @/y,z.png?width=2 2w,\n @/q.png" alt="/no">',
  '<img srcset="@/a 1x,@/b 2x">',
  '<source srcset=@/a>',
  '<link rel="preload" imagesrcset="@/a 1x, https://e.org/b 2x, //e.org/c 3x">',
  '<video poster="@/x.png" src="@/x.mp4"></video>',
  '<object data="@/x.pdf"></object>',
  '<svg><use href="@/i.svg#a"/><use xlink:href="@/i.svg#b"/></svg>',
  '<meta http-equiv="refresh" content="0;url=@/x">',
  '<meta content="5; URL=\'@/x\'" http-equiv=Refresh>',
  '<meta http-equiv="refresh" content="0 @/x">',
  '<base href="@/">',
  '<div data-live="@/admin/events" data-inbox="@/x" data-picker="@/y" data-href="@/z" data-src="@/q">',
  '<pre><a href="@/x">&lt;a href="/no"&gt;</a></pre>',
  '<!-- <a href="/no"> --><a href="@/x">',
  '<!--> <a href="@/x">',
  '<!---> <a href="@/x">',
  '<!-- a --!><a href="@/x">',
  '<script>const a = \'<a href="/no">\';</script><a href="@/x">',
  '<SCRIPT src="@/a">"</scriptx><a href=/no>"</SCRIPT ><a href="@/x">',
  '<style>a { background: url(/no) } /* <a href="/no"> */</style><a href="@/x">',
  '<textarea name="a"><a href="/no"></textarea><a href="@/x">',
  '<title><a href="/no"></title><a href="@/x">',
  '<template><a href="@/x"></template>',
  '<noscript><a href="@/x"></noscript>',
  '1 < 2 <a href="@/x">',
  '<<a href="@/x">',
  '</a><a href="@/x">',
  '<a href="@/x"><a href="@/y"',
  // A browser drops tabs and line breaks in an address: without the path this would be another host.
  '<a href="@/\t/evil.example">',
  '<a href="@/../x">',
] as const;

test('get the base path', () => {
  for (const marked of CHANGED) assert.is(put(marked.replaceAll('@', '')), marked.replaceAll('@', '/base'), marked);
});

const KEPT = [
  '',
  'no tag',
  '<a href="x">',
  '<a href="">',
  '<a href>',
  '<a href= >',
  '<a href="#x">',
  '<a href="?x">',
  '<a href="//evil.example">',
  '<a href="/\\evil.example">',
  '<a href="https://example.org/x">',
  '<a href="mailto:a@b.c">',
  '<a href="/base/x">',
  '<a href="/base">',
  '<a href="/base?x">',
  '<input value="/x" placeholder="/x" name="/x">',
  '<option value="/x">/x</option>',
  '<button title="/x" aria-label="/x" aria-keyshortcuts="/">',
  '<div data-path="/x" data-live="Live" data-server="/x">',
  '<p data="/x">',
  '<meta name="description" content="/x">',
  '<p>href="/x" &lt;a href="/x"&gt;</p>',
  '<p title="<a href=\'/x\'>">',
  '<textarea><a href="/x">',
  '<!-- <a href="/x">',
  '<script>location = "/x"</script>',
  '<a title="unclosed href=/x>',
  '</a href="/x">',
  '<1 href="/x">',
] as const;

test('that are no local ones, and all else, stay as they are', () => {
  for (const html of KEPT) assert.is(put(html), html, html);
});

test('are not changed twice', () => {
  for (const marked of CHANGED)
    assert.is(put(put(marked.replaceAll('@', ''))), put(marked.replaceAll('@', '')), marked);
});

test('stay without a base path', () => {
  assert.is(putBasePathInHtml('', '<a href="/x">'), '<a href="/x">');
});

test('escaped text of users adds no address', () => {
  const html = '<a href="/u/&quot;&gt;&lt;a href=&quot;/no&quot;&gt;">&lt;img src=&quot;/no&quot;&gt;</a>';
  assert.is(put(html), html.replace('"/u', '"/base/u'));
});

test('take linear time', () => {
  const size = 200_000;
  for (const part of ['<', '<a ', '<a href="/x', '<!--', '<a href=', '</', '<script', '<img srcset="/a,', '<a = ', ' '])
    for (const html of [part.repeat(size / part.length), `<a ${part.repeat(size / part.length)}`]) {
      const start = performance.now();
      mapAddresses(html, (address) => address);
      assert.ok(performance.now() - start < 1000, part);
    }
  const list = `<img srcset="${'/a 1x,,,'.repeat(20_000)}">`;
  assert.ok(mapAddresses(list, (address) => address) === list);
});

test('a refresh has one', () => {
  const to = (text: string): string => mapRefresh(text, (address) => `/b${address}`);
  assert.is(to('0;url=/x?a=1;b'), '0;url=/b/x?a=1;b');
  assert.is(to('0;url=https://example.org/x'), '0;url=https://example.org/x');
  assert.is(to('3'), '3');
});

test.run();
