import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser as Chrome, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { getProgram, Running } from '../cli/_process.ts';
import { ask } from '../client.ts';
import { runCommand } from '../project.ts';
import { findOverflow, findViolations, hasChromium, openChromium } from './_browser.ts';
import type { Hand } from './_hand.ts';
import { acceptInvitation, actAsWriter, makeHook, makeRole, openApi, seeDelivery, toApiCommands } from './_walk-api.ts';
import { editRow, enterRows, exportRows, findRows, importRows, listStored, revertRow } from './_walk-row.ts';
import { becomeAdministrator, defineSchema, listSchemas, seeMigration, toCommand, toFile } from './_walk-schema.ts';

export interface Driver {
  readonly name: string;
  readonly width: number;
  readonly hasScripts: boolean;
  /** True for a walk with fewer types of fields: one walk with all of them is enough. */
  readonly isShort: boolean;
  /** Schemes in which axe looks at each page; none where another walk shows it the same pages. axe needs timers, so scripts. */
  readonly schemes: readonly ('light' | 'dark')[];
  readonly make: (page: Page) => Hand;
}

interface World {
  readonly driver: Driver;
  readonly chrome: Chrome;
  readonly folder: string;
  readonly origin: string;
  readonly receiver: Receiver;
  /** What the browser complained about, and what it asked of others. */
  readonly faults: string[];
}

const CREATE = ['create', 'shop', '--template', 'bare', '--no-install', '--no-git'];
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const ARTICLES = 219;

/** The articles of the blog, again and again. */
function writeArticles(file: string): void {
  const lines = readFileSync(join(packageRoot, 'scaffold/blog/fixture/article.ndjson'), 'utf8').trim().split('\n');
  const rows = Array.from({ length: ARTICLES }, (_, at) => {
    const row = JSON.parse(String(lines[at % lines.length])) as Record<string, string>;
    return JSON.stringify({
      ...row,
      article_slug: `${row.article_slug}-${at}`,
      article_title: `${row.article_title} ${at}`,
    });
  });
  writeFileSync(file, rows.join('\n'));
}

/** A window of a person, with the driver's hand. */
async function openWindow(world: World): Promise<Hand> {
  const { chrome, driver, origin, faults } = world;
  const context = await chrome.newContext({
    viewport: { width: driver.width, height: 800 },
    javaScriptEnabled: driver.hasScripts,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  // Without a listener each wait for a file turns the browser's own dialog off and on again.
  page.on('filechooser', () => {});
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    // A form that asks a question, and a page that is refused, are answered 422 and 403.
    if (message.type() === 'error' && !/status of (422|403)/.test(message.text()))
      faults.push(`${page.url()}: ${message.text()}`);
  });
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(origin) || request.url().startsWith('data:');
    if (!isOwn) faults.push(`asks ${request.url()}`);
  });
  return driver.make(page);
}

/** A receiver of web hooks. */
interface Receiver {
  readonly url: string;
  readonly got: readonly string[];
  readonly close: () => void;
}

async function startReceiver(): Promise<Receiver> {
  const got: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => got.push(text));
    request.on('end', () => response.end());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, got, close: () => void server.close() };
}

/** Compares the files that the pages wrote with those of commands that give the same answers. */
async function compareFiles({ driver, folder, receiver }: World, root: string): Promise<void> {
  const commands = join(folder, 'commands');
  const schemas = listSchemas(driver.isShort);
  await runCommand(CREATE, commands);
  const other = join(commands, 'shop');
  for (const command of [...schemas.map(toCommand), ...toApiCommands(receiver.url)])
    await runCommand([...command], other);
  const files = [
    ...schemas.map(toFile),
    'config/rest/find-articles.json',
    'config/webhook/article-created.json',
    'config/role/writer.json',
    'config/settings.json',
  ];
  for (const file of files)
    assert.is(readFileSync(join(root, file), 'utf8'), readFileSync(join(other, file), 'utf8'), file);
}

/** Does a step of the walk, and looks at the page where it ends. */
async function take(world: World, hand: Hand, [name, act]: Step): Promise<void> {
  const { page } = hand;
  try {
    await act(hand);
  } catch (error) {
    const text = (await page.getByRole('main').allInnerTexts()).join(' ').replace(/\s+/g, ' ').slice(0, 1000);
    throw new Error(`${name}, at ${page.url()}: ${text}\n${String(error)}`, { cause: error });
  }
  world.faults.push(...(await findOverflow(page, name)));
  for (const scheme of world.driver.schemes) world.faults.push(...(await findViolations(page, name, scheme)));
}

type Step = readonly [name: string, act: (hand: Hand) => Promise<void>];

async function checkApi(origin: string): Promise<void> {
  const answer = await ask(`${origin}/rest/public/article/find?limit=1`);
  assert.is(answer.status, 200, answer.text);
  assert.is(answer.json().results.total, ARTICLES + 1);
}

async function walk(world: World, root: string, link: string): Promise<void> {
  const { driver, folder, origin } = world;
  const { isShort } = driver;
  const [picture, articles] = [join(folder, 'dot.png'), join(folder, 'articles.ndjson')];
  writeFileSync(picture, PICTURE);
  writeArticles(articles);
  const { receiver } = world;
  const ada = await openWindow(world);
  const steps: readonly Step[] = [
    ['becoming the administrator', (hand) => becomeAdministrator(hand, link)],
    ...listSchemas(isShort).map((schema): Step => [`defining ${schema.name}`, (hand) => defineSchema(hand, schema)]),
    ['the migration', seeMigration],
    ['entering rows', (hand) => enterRows(hand, picture, isShort)],
    ['the import', (hand) => importRows(hand, articles)],
    ['finding rows', async (hand) => assert.equal(await findRows(hand), [1, 1])],
    ['editing a row', (hand) => editRow(hand, 'Changed by Ada')],
    [
      'the export',
      async (hand) => {
        assert.is((await exportRows(hand, 'Articles')).length, ARTICLES + 1);
        const [sample] = await exportRows(hand, 'Samples');
        for (const [column, value] of listStored(isShort)) assert.equal(sample?.[column], value, column);
      },
    ],
    ['reverting a row', (hand) => revertRow(hand, 'Changed by Ada')],
    ['a REST call', openApi],
    ['reading it', () => checkApi(origin)],
    ['a web hook', (hand) => makeHook(hand, receiver.url)],
    ['its delivery', seeDelivery],
    ['a role', makeRole],
  ];
  for (const step of steps) await take(world, ada, step);
  assert.match(receiver.got.join(''), '"article_title":"Announced"');
  const ben = await openWindow(world);
  await take(world, ben, ['an invitation', (hand) => acceptInvitation(hand, origin)]);
  await take(world, ben, ['a refusal', (hand) => actAsWriter(hand, origin)]);
  await compareFiles(world, root);
  assert.equal(world.faults, []);
}

/** The walk with one driver, on an empty project that `treadle dev` serves. */
export function toSuite(driver: Driver) {
  const test = suite(`the admin section from an empty project, ${driver.name}`);
  if (hasChromium)
    test('defines, fills, serves and guards a site', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'treadle-walk-'));
      const chrome = await openChromium();
      mkdirSync(join(folder, 'commands'));
      await runCommand(CREATE, folder);
      const root = join(folder, 'shop');
      const receiver = await startReceiver();
      const server = new Running(getProgram(), ['dev', '--port', '0'], { cwd: root });
      try {
        const link = await server.until('the link', () => /First administrator: (\S+)\n/.exec(server.err)?.[1]);
        const { origin } = new URL(link);
        await walk({ driver, chrome, folder, origin, receiver, faults: [] }, root, link);
      } finally {
        receiver.close();
        await chrome.close();
        await server.kill('SIGTERM');
        rmSync(folder, { recursive: true, force: true });
      }
    });
  return test;
}
