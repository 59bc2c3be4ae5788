import { Secret, TOTP } from 'otpauth';
import { systemClock } from '../../../src/core/clock.ts';
import { type BootOptions, boot, type Site } from '../../boot.ts';
import { type Answer, type Client, PASSWORD } from '../../client.ts';

/** The clock of the site: the real one, moved forward by a test. */
export interface Shift {
  seconds: number;
}

export interface FactorSite {
  readonly site: Site;
  readonly shift: Shift;
  now(): number;
}

/** A served blog with a clock that a test moves forward. */
export async function startFactors(options: BootOptions = {}): Promise<FactorSite> {
  const shift = { seconds: 0 };
  const now = (): number => Date.now() + shift.seconds * 1000;
  const site = await boot({ mode: 'development', ...options, clock: { now, after: systemClock.after } });
  return { site, shift, now };
}

/** The code that an app with this seed shows at a time. */
export const toCode = (seed: string, at: number): string =>
  new TOTP({ secret: Secret.fromBase32(seed) }).generate({ timestamp: at });

export const logIn = (browser: Client, email: string, password = PASSWORD): Promise<Answer> =>
  browser.post('/auth/login', { auth_slug: email, auth_password: password });

const readHidden = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

/** Adds an authenticator app on the pages, as a user does. */
export async function addTotp(
  { now }: FactorSite,
  browser: Client,
): Promise<{ seed: string; codes: string[]; page: Answer }> {
  const form = await browser.get('/auth/second-factor/totp');
  const seed = (/id="t-seed">([^<]*)</.exec(form.text)?.[1] ?? '').replaceAll(' ', '');
  const page = await browser.post('/auth/second-factor/totp', {
    offer: readHidden(form.text, 'offer'),
    auth_code: toCode(seed, now()),
  });
  const codes = /id="t-codes">([^<]*)</.exec(page.text)?.[1]?.split('\n') ?? [];
  return { seed, codes, page };
}

/** Signs up with a name, and adds an authenticator app. */
export async function createUser(world: FactorSite, name: string) {
  const browser = world.site.browser();
  const email = `${name}@example.org`;
  await browser.signUp(name, email);
  const { seed, codes } = await addTotp(world, browser);
  // The code that confirmed the app is used up.
  world.shift.seconds += 30;
  return { browser, email, seed, codes };
}

export const step = (browser: Client, auth_code: string, more: Record<string, string> = {}): Promise<Answer> =>
  browser.post('/auth/second-factor', { auth_code, ...more });

/** Whether the browser is logged in. */
export const isIn = async (browser: Client): Promise<boolean> => (await browser.get('/auth/account')).status === 200;
