import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Client } from '../client.ts';

const ENDPOINT = process.env.TREADLE_TEST_CHROMIUM;

/** Whether `run.mjs` started a Chromium: a suite that needs it says that it is skipped otherwise. */
export const hasChromium: boolean = ENDPOINT !== undefined;

/** The Chromium of the run, which all suites share; closing it ends this suite's windows only. */
export const openChromium = (): Promise<Browser> => chromium.connect(String(ENDPOINT));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Of rules that find nothing, axe would describe each element; that and its requests for style sheets double its time. */
const FAULTS = 'resultTypes: ["violations"], preload: false';
/** Only colours differ in the dark scheme. */
const RUNS = { light: `{ ${FAULTS} }`, dark: `{ ${FAULTS}, runOnly: ["color-contrast"] }` } as const;

/** What axe finds in the current page. */
export async function findViolations(page: Page, name: string, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const run = `axe.run(document, ${RUNS[colorScheme]}).then(({ violations }) => violations)`;
  const violations = await page.evaluate<AxeResults['violations']>(run);
  return violations.map(
    ({ id, nodes }) => `${name} ${colorScheme}: ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
  );
}

/** Pixels by which the current page is wider than its window, as a fault. */
export async function findOverflow(page: Page, name: string): Promise<string[]> {
  const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  return Number(over) > 0 ? [`${name}: ${over} px too wide at ${page.viewportSize()?.width}`] : [];
}

/** Problems of the current page: found by axe in both colour schemes, or wider than a phone. */
export async function judge(page: Page, name: string): Promise<string[]> {
  const faults = [...(await findViolations(page, name, 'light')), ...(await findViolations(page, name, 'dark'))];
  await page.setViewportSize({ width: 390, height: 800 });
  faults.push(...(await findOverflow(page, name)));
  await page.setViewportSize({ width: 1280, height: 800 });
  return faults;
}

/** Gives a browser the cookies that a test collected, such as those of a login. */
export const giveCookies = (context: BrowserContext, browser: Client, url: string): Promise<void> =>
  context.addCookies(
    browser
      .cookie()
      .split('; ')
      .map((cookie) => {
        const [name = '', value = ''] = cookie.split('=');
        return { name, value, url };
      }),
  );
