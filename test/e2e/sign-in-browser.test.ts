import type { Browser as Chrome, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import type { Project } from '../project.ts';
import { hasChromium, judge, openChromium } from './_browser.ts';
import { type OpenIdProvider, startOpenIdProvider } from './_openid-provider.ts';

const PASSWORD = 'a long enough word';

interface World {
  site: Site;
  chrome: Chrome;
  page: Page;
  provider: OpenIdProvider;
}

/** Gives the profile a required field, which a sign-in must ask for. */
function requireCity(project: Project): void {
  const validation = [{ method: 'required', message: 'City is required' }];
  const city = { name: 'city', label: 'City', type: 'text', validation };
  project.edit<{ fields: object[] }>('config/schema/profile.json', ({ fields }) => void fields.splice(1, 0, city));
}

/** What a person does several times; `look` collects what axe finds, and takes pictures if TREADLE_TEST_SHOTS names a folder. */
function toSteps({ site, page, provider }: Pick<World, 'site' | 'page' | 'provider'>) {
  const faults: string[] = [];
  const look = async (name: string, tab = page) => {
    faults.push(...(await judge(tab, name)));
    const folder = process.env.TREADLE_TEST_SHOTS;
    if (folder === undefined) return;
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const) {
      await tab.setViewportSize({ width, height: 800 });
      await tab.emulateMedia({ colorScheme });
      await tab.screenshot({ path: `${folder}/${name.replaceAll(' ', '-')}-${width}.png`, fullPage: true });
    }
  };
  /** Logs in and agrees on the provider's own pages. */
  const passProvider = async (name: string, tab = page) => {
    await tab.waitForURL(`${provider.issuer}/**`);
    await tab.locator('input[name=login]').fill(name);
    await tab.locator('input[name=password]').fill('anything');
    await tab.locator('button[type=submit]').click();
    await tab.waitForURL(/\/interaction\//);
    await tab.locator('button[type=submit]:not([name])').last().click();
    await tab.waitForURL(`${site.url}/**`);
  };
  return { faults, look, passProvider };
}

const pages = suite<World>('sign-in by a real OpenID provider in Chromium');

if (hasChromium) {
  pages.before(async (at) => {
    at.provider = await startOpenIdProvider();
    at.site = await boot({
      mode: 'development',
      env: { AUTH_COMPANY_SECRET: 'provider secret' },
      settings: { auth: { providers: { company: { issuer: at.provider.issuer, clientId: 'site' } } } },
      change: requireCity,
    });
    at.provider.admit(`${at.site.url}/auth/provider/company/callback`);
    at.chrome = await openChromium();
    at.page = await (await at.chrome.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  });
  pages.after(async ({ site, chrome, provider }) => {
    await chrome?.close();
    await site?.close();
    await provider?.close();
  });

  pages('signs up and in, sets a password, links and unlinks', async ({ site, chrome, page, provider }) => {
    const { faults, look, passProvider } = toSteps({ site, page, provider });
    await page.goto(`${site.url}/auth/login?redirect_uri=/auth/account`);
    await look('login');
    await page.getByRole('link', { name: 'Continue with Company' }).click();
    await passProvider('ada');
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await look('complete');
    assert.is(await page.getByLabel('Your name').inputValue(), 'Ada');
    await page.getByLabel('City').fill('Paris');
    await page.getByRole('button', { name: 'Create the account' }).click();
    await page.getByText('Logged in as ada@provider.example').waitFor();
    await look('account without a password');
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('New password again', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Set a password' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Unlink Company' }).click();
    await page.getByText('The link is removed.').waitFor();
    await look('account with a password');
    // The form's answer redirects to another site: `form-action` must not stop it.
    await page.getByRole('button', { name: 'Link Company' }).click();
    await page.waitForURL(`${site.url}/auth/account`);
    await page.getByText('Company opens your account now.').waitFor();

    const other = await (await chrome.newContext()).newPage();
    await other.goto(`${site.url}/auth/provider/company?redirect_uri=/auth/account`);
    await passProvider('ada', other);
    await other.getByText('Logged in as ada@provider.example').waitFor();

    assert.equal(faults, []);
  });

  pages(
    'connects an account with the same e-mail, and says what a refusal was',
    async ({ site, chrome, page, provider }) => {
      const { faults, look, passProvider } = toSteps({ site, page, provider });
      const connect = await (await chrome.newContext()).newPage();
      await site.emit('auth-create', {
        auth_slug: 'cyd@provider.example',
        auth_password: PASSWORD,
        profile_name: 'Cyd',
        profile_city: 'Rome',
        auth_verified: 1,
      });
      await connect.goto(`${site.url}/auth/provider/company?redirect_uri=/auth/account`);
      await passProvider('cyd', connect);
      await connect.getByRole('heading', { name: 'You have an account here' }).waitFor();
      await look('connect', connect);
      await connect.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await connect.getByRole('button', { name: 'Log in and connect Company' }).click();
      await connect.getByText('Logged in as cyd@provider.example').waitFor();

      const cancel = await (await chrome.newContext()).newPage();
      await cancel.goto(`${site.url}/auth/provider/company`);
      await cancel.getByText('Cancel').click();
      await cancel.getByText('You did not let Company sign you in here.').waitFor();
      await look('refused', cancel);
      assert.equal(faults, []);
    },
  );
}
pages.run();
