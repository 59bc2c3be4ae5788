import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addArticle, boot, type Site } from '../boot.ts';

const pages = suite('the front end of the blog');
const at: { site?: Site; id?: number } = {};
const site = (): Site => at.site as Site;

pages.before(async () => {
  at.site = await boot({ mode: 'development' });
  at.id = await addArticle(site(), 'First <b>', '<p>Body <script>alert(1)</script></p>');
  await site().app.emit('system-model-create', {
    schema: 'article',
    article_title: 'Newer',
    article_detail: 'x',
    article_published: '2026-05-02 03:04:05',
  });
});
pages.after(() => site().close());

pages('lists articles, newest first, titled Articles', async () => {
  const page = await site().browser().get('/articles');
  assert.is(page.status, 200);
  assert.match(page.text, /<title>Articles/);
  assert.ok(page.text.indexOf('Newer') < page.text.indexOf('First'), 'newest first');
  assert.match(page.text, /href="\/article\/1"/);
  assert.match(page.text, /First &lt;b&gt;/);
});

pages('shows an article with its body unescaped and sanitized, and a comment form without action', async () => {
  const page = await site().browser().get(`/article/${at.id}`);
  assert.is(page.status, 200);
  assert.match(page.text, /<p>Body /);
  assert.not.match(page.text, /alert\(1\)/);
});

for (const path of ['/article/999', '/article/abc', '/nothing', '/article/%zz']) {
  pages(`${path} is the not-found page`, async () => {
    const page = await site().browser().get(path);
    assert.is(page.status, 404);
    assert.match(page.headers['content-type'] ?? '', /text\/html/);
  });
}

async function countComments(): Promise<unknown> {
  return (await site().app.emit('system-model-search', { schema: 'comment' })).getResults('total');
}

pages('a comment while logged out creates nothing and keeps the text', async () => {
  const before = await countComments();
  const page = await site().browser().post(`/article/${at.id}`, { comment_detail: 'Typed <i>text' });
  assert.match(page.text, /Must be logged in to comment\./);
  assert.match(page.text, /Typed &lt;i&gt;text/);
  assert.is(await countComments(), before);
});

pages('a comment that was typed before the login is in the field after it, until it is sent', async () => {
  const browser = site().browser();
  await browser.post(`/article/${at.id}`, { comment_detail: 'Typed <before' });
  await browser.signUp('Dee', 'dee@example.org');
  assert.match((await browser.get(`/article/${at.id}`)).text, 'Typed &lt;before</textarea>');
  assert.not.match((await browser.get('/article/2')).text, 'Typed &lt;before');
  await browser.post(`/article/${at.id}`, { comment_detail: 'Typed <before' });
  const shown = (await browser.get(`/article/${at.id}`)).text;
  assert.match(shown, /<li class="comment" id="comment-\d+" tabindex="-1" autofocus>/);
  assert.not.match(shown, '</textarea>'.replace('<', 'Typed &lt;before<'));
  assert.not.match((await browser.get(`/article/${at.id}`)).text, 'autofocus');
});

pages('the list has excerpts and relative times; the head describes the page; the feed is Atom', async () => {
  await site().emit('system-model-create', {
    schema: 'article',
    article_title: 'Of <looms>',
    article_detail: `<p>Warp &amp; <b>weft</b></p><pre>wide</pre>${'<p>more words</p>'.repeat(50)}`,
    article_published: '2026-06-03 03:04:05',
  });
  const list = (await site().get('/articles')).text;
  assert.match(
    list,
    /<time datetime="2026-06-03 03:04:05Z" title="3 June 2026">[^<]*(?:ago|from now|Now|Yesterday|Tomorrow)[^<]*<\/time>/i,
  );
  assert.match(list, /<p>Warp &amp; weft wide more words [^<]{100,190}…<\/p>/);
  const { text } = await site().get('/article/3');
  assert.match(text, /<title>Of &lt;looms&gt; · [^<]+<\/title>/);
  assert.match(text, '<meta name="description" content="Warp &amp; weft wide more');
  assert.match(text, '<meta property="og:type" content="article">');
  assert.match(text, '<pre tabindex="0">wide</pre>');
  const feed = await site().get('/feed.xml');
  assert.match(feed.headers['content-type'] ?? '', 'application/atom+xml');
  assert.match(
    feed.text,
    /^<\?xml[\s\S]*<title>Of &lt;looms&gt;<\/title>[\s\S]*<updated>2026-06-03T03:04:05Z<\/updated>/,
  );
});

pages('the not-found page searches, and links to the articles', async () => {
  const { status, text } = await site().get('/no-such-page', { accept: 'text/html' });
  assert.is(status, 404);
  assert.match(
    text,
    /There is nothing at <code[^>]*>\/no-such-page<\/code>[\s\S]*role="search"[\s\S]*<a href="\/articles">/,
  );
});

pages('an empty comment shows the message next to the field and as a flash', async () => {
  const browser = site().browser();
  await browser.signUp('Ann', 'ann@example.org');
  const before = await countComments();
  const page = await browser.post(`/article/${at.id}`, { comment_detail: '' });
  assert.ok((page.text.match(/Comment is required/g) ?? []).length >= 2, page.text);
  assert.is(await countComments(), before);
});

pages('a good comment is flashed once, redirected, and shown with author and time', async () => {
  const browser = site().browser();
  await browser.signUp('Ben', 'ben@example.org');
  const page = await browser.post(`/article/${at.id}`, { comment_detail: 'Well <b>said' });
  assert.ok([302, 303].includes(page.status));
  assert.is(page.location, `/article/${at.id}`);
  const shown = await browser.get(page.location);
  assert.match(shown.text, /Comment Added/);
  assert.match(shown.text, /Well &lt;b&gt;said/);
  assert.match(shown.text, /Ben/);
  assert.match(shown.text, /Now|second/);
  assert.not.match((await browser.get(page.location)).text, /Comment Added/);
});

pages('writes the comment as the logged-in user, not as one that the request names', async () => {
  const browser = site().browser();
  await browser.signUp('Cleo', 'cleo@example.org');
  const me = (await site().app.emit('system-model-search', { schema: 'profile', q: 'Cleo' })).getResults(
    'rows',
    0,
    'profile_id',
  );
  assert.type(me, 'number');
  const page = await browser.post(`/article/${at.id}?profile_id=1`, { comment_detail: 'Mine', profile_id: '1' });
  assert.is(page.status, 303);
  const rows = (
    await site().app.emit('system-model-search', { schema: 'comment', sort: { comment_id: 'DESC' } })
  ).getResults('rows') as Record<string, unknown>[];
  assert.is(rows[0]?.profile_id, me);
  assert.is(rows[0]?.profile_name, 'Cleo');
});

pages('a comment on an article that is not there leaves no comment behind', async () => {
  const browser = site().browser();
  await browser.signUp('Dora', 'dora@example.org');
  const before = await countComments();
  const page = await browser.post('/article/999', { comment_detail: 'Lost' });
  assert.is(page.status, 404);
  assert.is(await countComments(), before);
});

pages('a page further than the last says so, and asks nobody to import samples', async () => {
  const { status, text } = await site().browser().get('/articles?page=99');
  assert.is(status, 200);
  assert.match(text, 'There is nothing on this page.');
  assert.not.match(text, 'treadle import');
});

pages('a post from another site is refused', async () => {
  const answer = await fetch(`${site().url}/article/${at.id}`, {
    method: 'POST',
    body: new URLSearchParams({ comment_detail: 'x' }),
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  assert.is(answer.status, 403);
  const other = await fetch(`${site().url}/article/${at.id}`, {
    method: 'POST',
    body: new URLSearchParams({ comment_detail: 'x' }),
    headers: { origin: 'https://evil.example' },
  });
  assert.is(other.status, 403);
});

pages('a prototype name in a body changes nothing', async () => {
  await site().browser().post(`/article/${at.id}`, {
    'a[__proto__][polluted]': '1',
    '__proto__[polluted]': '1',
    'constructor[prototype][polluted]': '1',
  });
  assert.is(({} as Record<string, unknown>).polluted, undefined);
});

pages('a body over the limit is 413, broken JSON 400', async () => {
  const big = await fetch(`${site().url}/article/1`, {
    method: 'POST',
    body: `comment_detail=${'x'.repeat(1_100_000)}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.is(big.status, 413);
  const broken = await fetch(`${site().url}/article/1`, {
    method: 'POST',
    body: '{"a":',
    headers: { 'content-type': 'application/json' },
  });
  assert.is(broken.status, 400);
});

pages('login, logout and sign-up are pages, and nothing changes state by GET', async () => {
  const browser = site().browser();
  await browser.signUp('Eve', 'eve@example.org');
  assert.is((await browser.get('/auth/logout')).status, 200);
  assert.match((await browser.get('/articles')).text, /\/auth\/logout/);
  const out = await browser.post('/auth/logout', {});
  assert.is(out.status, 303);
  assert.match((await browser.get('/articles')).text, /\/auth\/login/);
  const wrong = await browser.post('/auth/login', {
    auth_slug: 'eve@example.org',
    auth_password: 'not the word at all',
  });
  assert.ok(wrong.status >= 400 && wrong.status < 500);
  const right = await browser.post('/auth/login', {
    auth_slug: 'eve@example.org',
    auth_password: 'a long enough word',
    redirect_uri: '//evil.example',
  });
  assert.is(right.status, 303);
  assert.is(right.location, '/articles');
});

pages.run();
