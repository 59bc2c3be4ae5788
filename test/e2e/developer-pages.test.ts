import type { Browser as Chrome, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import { giveCookies, hasChromium, judge, openChromium } from './_browser.ts';
import { signUpAs } from './_oauth.ts';

interface World {
  site: Site;
  chrome: Chrome;
  page: Page;
}

/** The developer section, the dialog and the account's pages in a browser. */
const pages = suite<World>('pages in Chromium');

async function start(at: World): Promise<void> {
  at.site = await boot({
    mode: 'development',
    change: async (project) => {
      await project.cli('api', 'populate');
      const more = ['--owner', 'ann@example.org', '--website', 'https://reader.example', '--scope', 'profile_read'];
      await project.cli('app', 'create', 'reader', '--title', 'Reader', ...more);
      const scope = {
        slug: 'notes',
        name: 'Read your notes',
        access: 'user',
        approval: true,
        calls: ['user-profile-detail'],
      };
      project.write('config/scope/notes.json', scope);
    },
  });
  const ann = await signUpAs(at.site, 'Ann');
  await at.site.app.emit('auth-verify', { auth_slug: 'ann@example.org' });
  await at.site.app.reload();
  at.chrome = await openChromium();
  const context = await at.chrome.newContext({ viewport: { width: 1280, height: 800 } });
  await giveCookies(context, ann, at.site.url);
  at.page = await context.newPage();
}

if (hasChromium) {
  pages.before(start);
  pages.after(async ({ site, chrome }) => {
    await chrome?.close();
    await site?.close();
  });

  pages(
    'axe finds nothing, nothing is wider than a telephone, and the trial works by click',
    async ({ site, page }) => {
      const faults: string[] = [];
      const look = async (name: string) => void faults.push(...(await judge(page, name)));
      const open = async (path: string) => {
        await page.goto(site.url + path);
        await look(path);
      };
      await open('/developer/app/create');
      await page.fill('#t-title', 'A title that is rather long, as titles of apps sometimes are');
      await page.fill('#t-redirect', 'http://elsewhere.example/cb');
      await page.check('[value=profile_read]');
      await page.check('[value=notes]');
      await page.click('main button[type=submit]');
      await look('a form with faults');
      assert.is(
        await page.evaluate('document.activeElement?.hasAttribute("data-faults")'),
        true,
        'the summary has the focus',
      );
      await page.click('[data-faults] a');
      assert.is(await page.evaluate('document.activeElement?.id'), 't-redirect');
      await page.fill('#t-redirect', 'https://elsewhere.example/a-rather-long-path/to/the/callback/of/the/app');
      await page.click('main button[type=submit]');
      await look('the secret');
      const id = (await page.getAttribute('a:has-text("To the app")', 'href'))?.split('/').at(-1);
      for (const path of ['detail', 'update', 'session', 'try']) await open(`/developer/app/${path}/${id}`);
      await open('/developer/app/update/1');
      await open('/developer/app/search');
      await page.goto(`${site.url}/developer/app/try/${id}`);
      await page.click('main button:has-text("Start")');
      await page.waitForURL(/authorize/);
      await page.click('main summary');
      await look('the dialog');
      await page.click('button[value=allow]');
      await page.waitForURL(/try/);
      await look('the code');
      await page.click('button:has-text("Exchange it here")');
      await page.waitForURL(/exchange/);
      await look('the token');
      assert.match((await page.textContent('#t-call-answer')) ?? '', '"profile_name": "Ann"');
      for (const path of [
        `/developer/app/session/${id}`,
        `/developer/app/detail/${id}?days=30`,
        '/auth/apps',
        '/auth/account',
        '/auth/logout',
        '/dialog/invalid',
      ]) {
        await open(path);
      }
      await page.context().clearCookies();
      for (const path of ['/auth/login', '/auth/signup']) await open(path);
      assert.equal(faults, []);
    },
  );

  pages('the dialog can be answered by keyboard alone', async ({ site, page }) => {
    const ann = site.browser();
    await ann.get('/auth/login');
    const login = { auth_slug: 'ann@example.org', auth_password: 'a long enough word' };
    await ann.post('/auth/login', login);
    await giveCookies(page.context(), ann, site.url);
    const { client_id: id } = await site.app.services.database.kysely
      .selectFrom('treadle_app')
      .select('client_id')
      .where('name', '=', 'reader')
      .executeTakeFirstOrThrow();
    await page.goto(`${site.url}/dialog/request?client_id=${id}`);
    const focused = 'document.activeElement?.value ?? ""';
    const isRinged = 'getComputedStyle(document.activeElement).outlineStyle !== "none"';
    const seen: unknown[] = [];
    for (let tries = 0; tries < 20 && seen.at(-1) !== 'allow'; tries += 1) {
      await page.keyboard.press('Tab');
      assert.is(await page.evaluate(isRinged), true, 'the focus is seen');
      seen.push(await page.evaluate(focused));
      if (seen.at(-1) === 'profile_read') await page.keyboard.press('Space');
    }
    assert.ok(seen.includes('profile_read'));
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/developer\/app\/search\?code=/);
    const grant = await site.app.services.database.kysely
      .selectFrom('treadle_grant')
      .select('scopes')
      .orderBy('grant_id', 'desc')
      .executeTakeFirstOrThrow();
    assert.equal(typeof grant.scopes === 'string' ? JSON.parse(grant.scopes) : grant.scopes, [], 'it was unticked');
    assert.equal(await judge(page, 'the returned code'), []);
  });
} else {
  process.stdout.write('skipped: pages in Chromium: there is no browser\n');
}

pages.run();
