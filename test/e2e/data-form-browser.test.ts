import type { BrowserContext, Browser as Chrome, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import type { Client } from '../client.ts';
import { everyType } from '../feature/admin-data/_every-type.ts';
import { giveCookies, hasChromium, judge, openChromium } from './_browser.ts';

interface World {
  site: Site;
  chrome: Chrome;
  ann: Client;
}

const MODEL = '/admin/system/model';
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const forms = suite<World>('forms of rows in Chromium');

async function open({ chrome, ann, site }: World, options: object = {}): Promise<Page> {
  const context: BrowserContext = await chrome.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  await giveCookies(context, ann, site.url);
  const page = await context.newPage();
  page.setDefaultTimeout(8000);
  return page;
}

const readThing = async ({ site }: World, id: number) =>
  (await site.emit('system-model-detail', { schema: 'thing', thing_id: id })).getResults() as Record<string, unknown>;

const lastId = (page: Page): number => Number(/\/detail\/(\d+)/.exec(page.url())?.[1]);

/** What a person types, by field: `input` fills it, `tick` ticks it, `pick` chooses an option. */
const FILLED: readonly (readonly [string, 'input' | 'tick' | 'pick', string, unknown])[] = [
  ['thing_text', 'input', 'By hand', 'By hand'],
  ['thing_email', 'input', 'ann@example.org', 'ann@example.org'],
  ['thing_search', 'input', 'word', 'word'],
  ['thing_url', 'input', 'https://example.org/', 'https://example.org/'],
  ['thing_mask', 'input', '12-ab', '12-ab'],
  ['thing_slug', 'input', 'by-hand', 'by-hand'],
  ['thing_color', 'input', '#aa3366', '#aa3366'],
  ['thing_textarea', 'input', 'one\ntwo', 'one\ntwo'],
  ['thing_markdown', 'input', '# Hello', '# Hello'],
  ['thing_code', 'input', 'a();\n\tb();', 'a();\n\tb();'],
  ['thing_number', 'input', '12', 12],
  ['thing_range', 'input', '7', 7],
  ['thing_small', 'input', '3', 3],
  ['thing_float', 'input', '1.25', 1.25],
  ['thing_price', 'input', '9.99', 9.99],
  ['thing_stars', 'pick', '3.5', 3.5],
  ['thing_date', 'input', '2026-01-31', '2026-01-31'],
  ['thing_time', 'input', '09:30', '09:30:00'],
  ['thing_datetime', 'input', '2026-01-31T09:30', '2026-01-31 09:30:00'],
  ['thing_week', 'input', '2026-W05', '2026-W05'],
  ['thing_month', 'input', '2026-01', '2026-01'],
  ['thing_checkbox', 'tick', '', 1],
  ['thing_switch', 'tick', '', 1],
  ['thing_select', 'pick', 'red', 'red'],
  ['thing_countrylist', 'pick', 'FR', 'FR'],
  ['thing_tag', 'input', 'one, two', ['one', 'two']],
  ['thing_rawjson', 'input', '{"a": 1}', { a: 1 }],
  ['thing_textlist-0', 'input', 'first', ['first', 'second']],
  ['thing_textarealist-0', 'input', 'long', ['long']],
  ['thing_meta-0', 'input', 'size', { size: 'big' }],
  ['thing_latlng-lat', 'input', '48.85', [48.85, 2.29]],
  ['thing_latlng-lng', 'input', '2.29', [48.85, 2.29]],
  ['thing_multirange-0', 'input', '10', '10;50'],
  ['thing_multirange-1', 'input', '50', '10;50'],
  ['thing_fieldset-0-what', 'input', 'Pen', [{ what: 'Pen', amount: 1.5, paid: 1, notes: null }]],
  ['thing_fieldset-0-amount', 'input', '1.5', [{ what: 'Pen', amount: 1.5, paid: 1, notes: null }]],
  ['thing_fieldset-0-paid', 'tick', '', [{ what: 'Pen', amount: 1.5, paid: 1, notes: null }]],
];

/** Inputs without an id of their own, by name. */
const NAMED: Readonly<Record<string, string>> = {
  'thing_meta[0][value]': 'big',
  'thing_table[0][0]': 'pen',
  'thing_table[0][1]': '2',
};
const TICKED = ['thing_radios"][value="green', 'thing_multiselect[]"][value="red', 'thing_checkboxes[]"][value="green'];

async function fill(page: Page, hasScripts: boolean): Promise<void> {
  for (const [id, way, value] of FILLED) {
    const field = page.locator(`#t-${id}`);
    if (way === 'tick') await field.check();
    else if (way === 'pick') await field.selectOption(value);
    else await field.fill(value);
  }
  for (const [name, value] of Object.entries(NAMED)) await page.locator(`[name="${name}"]`).fill(value);
  for (const choice of TICKED) await page.locator(`[name="${choice}"]`).check();
  await page.locator('button[value="add thing_textlist"]').click();
  await page.locator('#t-thing_textlist-1').fill('second');
  if (hasScripts) {
    await page.locator('[data-field=thing_wysiwyg] [role=textbox]').click();
    await page.keyboard.type('Rich text');
  } else await page.locator('#t-thing_wysiwyg').fill('<p>Rich text</p>');
  await page.locator('[data-field=box_id] label', { hasText: 'Big box' }).locator('input').check();
}

async function checkFilled(world: World, id: number): Promise<void> {
  const row = await readThing(world, id);
  for (const [field, , , value] of FILLED) assert.equal(row[field.split('-')[0] as string], value, field);
  assert.equal(
    [row.thing_radios, row.thing_multiselect, row.thing_checkboxes, row.thing_table, row.box_id],
    ['green', ['red'], ['green'], [{ name: 'pen', count: '2' }], 1],
  );
  assert.is(row.thing_wysiwyg, '<p>Rich text</p>');
}

async function relate(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Link another Labels' }).click();
  await page.getByRole('radio', { name: 'Blue' }).check();
  await page.getByRole('button', { name: 'Link', exact: true }).click();
  assert.is(await page.locator('main a', { hasText: 'Blue' }).count(), 1);
}

/** Creates a row with a field of every type, edits it, relates it, and unlinks it again. */
async function walk(world: World, page: Page, hasScripts: boolean): Promise<void> {
  await page.goto(`${world.site.url}${MODEL}/thing/create`);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  if (hasScripts) {
    // The script of the page, which moves the focus, runs after the page has come.
    await page.locator('[data-faults]:focus').waitFor();
    await page.locator('[data-faults] a', { hasText: 'Text' }).click();
    assert.is(await page.evaluate('document.activeElement?.id'), 't-thing_text');
  } else await page.goto(`${world.site.url}${MODEL}/thing/create`);
  await fill(page, hasScripts);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL(/\/detail\/\d+/);
  const id = lastId(page);
  await checkFilled(world, id);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.locator('#t-thing_text').fill('Changed');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.waitForURL(/\/detail\/\d+/);
  const row = await readThing(world, id);
  assert.is(row.thing_text, 'Changed');
  assert.is(row.thing_wysiwyg, '<p>Rich text</p>');
  await relate(page);
  await page.getByRole('button', { name: 'Unlink Blue' }).click();
  assert.is(await page.locator('main a', { hasText: 'Blue' }).count(), 0);
}

if (hasChromium) {
  forms.before(async (at) => {
    at.site = await boot({ files: everyType });
    at.ann = await at.site.as('Ann', ['admin']);
    await at.site.emit('system-model-create', { schema: 'box', box_name: 'Big box' });
    await at.site.emit('system-model-create', { schema: 'label', label_name: 'Blue' });
    at.chrome = await openChromium();
  });
  forms.after(async ({ site, chrome }) => {
    await chrome?.close();
    await site?.close();
  });

  forms('a row with a field of every type is created, edited and related', async (world) => {
    const page = await open(world);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/422/.test(message.text())) faults.push(message.text());
    });
    await walk(world, page, true);
    const detail = page.url();
    for (const name of ['detail', 'update']) {
      await page.goto(detail.replace('detail', name));
      faults.push(...(await judge(page, name)));
    }
    assert.equal(faults, []);
    await page.context().close();
  });

  forms('files are previewed, sent with their progress, and removed again', async (world) => {
    const page = await open(world);
    const made = await world.site.emit('system-model-create', { schema: 'thing', box_id: 1, thing_text: 'Files' });
    const id = made.getResults('thing_id') as number;
    const path = `${world.site.url}${MODEL}/thing/update/${id}`;
    const file = { name: 'dot.png', mimeType: 'image/png', buffer: PICTURE };
    await page.goto(path);
    await page.setInputFiles('#t-thing_image', file);
    await page.setInputFiles('#t-thing_imagelist-new', [file, file]);
    await page.locator('[data-field=thing_imagelist] .t-badge', { hasText: 'dot.png' }).first().waitFor();
    assert.is(await page.locator('[data-field=thing_imagelist] img').count(), 2);
    await page.locator('#t-thing_email').fill('no address');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.locator('[data-faults]').waitFor();
    assert.is(await page.locator('#t-thing_email').inputValue(), 'no address');
    await page.locator('#t-thing_email').fill('');
    await page.setInputFiles('#t-thing_image', file);
    await page.setInputFiles('#t-thing_imagelist-new', [file, file]);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.waitForURL(/\/detail\//);
    assert.match(await page.locator('.t-flash-success').innerText(), 'Saved.');
    const row = await readThing(world, id);
    assert.match(String(row.thing_image), /^\/upload\//);
    assert.is((row.thing_imagelist as string[]).length, 2);
    await page.goto(path);
    await page.locator('[name="_drop[]"][value=thing_image]').check();
    await page.locator('[name="_drop[]"][value="thing_imagelist[0]"]').check();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.waitForURL(/\/detail\//);
    const left = await readThing(world, id);
    assert.equal([left.thing_image, left.thing_imagelist], [null, [(row.thing_imagelist as string[])[1]]]);
    await page.context().close();
  });

  forms('the same without scripts, on a phone', async (world) => {
    const page = await open(world, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
    await walk(world, page, false);
    await page.context().close();
  });

  forms('a row is created, edited and related by the keyboard alone', async (world) => {
    const page = await open(world);
    await page.goto(`${world.site.url}${MODEL}/box/create`);
    /** Presses Tab until an element has the focus; a trap fails. */
    const tabTo = async (selector: string): Promise<void> => {
      for (let presses = 0; presses < 250; presses += 1) {
        if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return;
        await page.keyboard.press('Tab');
      }
      assert.unreachable(`no Tab leads to ${selector}`);
    };
    await tabTo('#t-box_name');
    await page.keyboard.type('Keyed');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/detail\/\d+/);
    await page.goto(`${world.site.url}${MODEL}/thing/create`);
    await tabTo('input[name="_find[box_id]"]');
    await page.keyboard.type('Keyed');
    await page.locator('[data-field=box_id] label', { hasText: 'Keyed' }).waitFor();
    await tabTo('[data-field=box_id] input[type=radio]');
    await page.keyboard.press('Space');
    assert.is(await page.locator('[data-field=box_id] [data-chosen]').textContent(), 'Keyed');
    const find = page.locator('input[name="_find[box_id]"]');
    await page.keyboard.press('Escape');
    assert.is(await find.isVisible(), false);
    await page.keyboard.press('Enter');
    await page.waitForFunction('document.activeElement?.name === "_find[box_id]"');
    await page.keyboard.press('Escape');
    await tabTo('#t-thing_text');
    await page.keyboard.type('By keys');
    await tabTo('[data-field=thing_wysiwyg] [role=toolbar] button');
    await tabTo('[data-field=thing_wysiwyg] [role=textbox]');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('Bold');
    await tabTo('#t-thing_stars');
    await page.keyboard.type('3');
    await tabTo('#t-thing_textlist-0');
    await page.keyboard.type('first');
    await tabTo('button[value="add thing_textlist"]');
    await page.keyboard.press('Enter');
    assert.is(await page.evaluate('document.activeElement?.id'), 't-thing_textlist-1');
    await page.keyboard.type('second');
    await tabTo('.t-form-end button');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/detail\/\d+/);
    const row = await readThing(world, lastId(page));
    assert.equal(
      [row.thing_text, row.thing_wysiwyg, row.thing_stars, row.thing_textlist, row.box_id],
      ['By keys', '<p><strong>Bold</strong></p>', 3, ['first', 'second'], 2],
    );
    await tabTo('main a[href*="/link/label"]');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/link\/label/);
    await tabTo('input[name=to]');
    await page.keyboard.press('Space');
    await tabTo('main form[method=post] button');
    await page.keyboard.press('Enter');
    await page.waitForSelector('main a[href*="/label/detail/"]');
    await page.context().close();
  });

  forms('work that was not saved is offered again, and two people lose nothing of each other', async (world) => {
    const made = await world.site.emit('system-model-create', { schema: 'thing', box_id: 1, thing_text: 'Start' });
    const id = made.getResults('thing_id') as number;
    const path = `${world.site.url}${MODEL}/thing/update/${id}`;
    const [hers, his] = [await open(world), await open(world)];
    await hers.goto(path);
    await hers.locator('#t-thing_text').fill('Unsaved');
    await hers.locator('button[value="add thing_textlist"]').click();
    await hers.locator('#t-thing_textlist-1').fill('kept');
    await hers.waitForTimeout(500);
    await hers.goto(`${world.site.url}/admin`);
    await hers.goto(path);
    await hers.locator('[data-draft-restore]').click();
    assert.is(await hers.locator('#t-thing_text').inputValue(), 'Unsaved');
    assert.is(await hers.locator('#t-thing_textlist-1').inputValue(), 'kept');
    await his.goto(path);
    await his.locator('#t-thing_text').fill('His');
    await his.getByRole('button', { name: 'Save changes' }).click();
    await his.waitForURL(/\/detail\//);
    await hers.getByRole('button', { name: 'Save changes' }).click();
    const both = hers.locator('#t-clash-thing_text');
    assert.match(await both.innerText(), /His[\s\S]*Unsaved/);
    assert.equal(await judge(hers, 'conflict'), []);
    await both.locator('input[value=mine]').check();
    await hers.getByRole('button', { name: 'Save changes' }).click();
    await hers.waitForURL(/\/detail\//);
    const row = await readThing(world, id);
    assert.equal([row.thing_text, row.thing_textlist], ['Unsaved', ['kept']]);
    await hers.goto(path);
    assert.is(await hers.locator('[data-draft]').isVisible(), false, 'a saved draft is gone');
    await Promise.all([hers.context().close(), his.context().close()]);
  });

  /** Texts, and what they become once somebody typed an X at their start; undefined if they open as HTML. */
  const RICH: readonly (readonly [string, string | undefined])[] = [
    ['<p>Some <b>bold</b> text</p>', '<p>XSome <b>bold</b> text</p>'],
    ['<p>Some <strong>bold</strong>, <em>slanted</em></p>', '<p>XSome <strong>bold</strong>, <em>slanted</em></p>'],
    ['<p>a <strong>b</strong> <b>c</b> <i>d</i></p>', '<p>Xa <strong>b</strong> <b>c</b> <i>d</i></p>'],
    ['<p>a <del>b</del> <s>c</s> <ins>d</ins> <u>e</u></p>', '<p>Xa <del>b</del> <s>c</s> <ins>d</ins> <u>e</u></p>'],
    ['plain <strong>words</strong>', 'Xplain <strong>words</strong>'],
    ['one<p>two</p>three', 'Xone<p>two</p>three'],
    ['<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '<ul><li>Xa<ul><li>b</li></ul></li><li>c</li></ul>'],
    ['<p>a</p><hr /><p>b</p>', '<p>Xa</p><hr><p>b</p>'],
    [
      '<p>a</p><table><tbody><tr><td>1 <em>b</em></td></tr></tbody></table><p>c</p>',
      '<p>Xa</p><table><tbody><tr><td>1 <em>b</em></td></tr></tbody></table><p>c</p>',
    ],
    [
      '<p>a</p><figure><img src="/x.png" alt="" /><figcaption>b</figcaption></figure>',
      '<p>Xa</p><figure><img src="/x.png" alt=""><figcaption>b</figcaption></figure>',
    ],
    ['<figure><table><tbody><tr><td>1</td></tr></tbody></table></figure>', undefined],
  ];

  const bare = (html: unknown): string => String(html).replaceAll(' />', '>');

  forms(
    'a text opens in the editor, is the same if nobody edits it, and keeps its elements if somebody does',
    async (world) => {
      const page = await open(world);
      const save = async (): Promise<void> => {
        await page.getByRole('button', { name: 'Save changes' }).click();
        await page.waitForURL(/\/detail\//);
      };
      for (const [html, edited] of RICH) {
        const made = await world.site.emit('system-model-create', {
          schema: 'thing',
          box_id: 1,
          thing_text: 'x',
          thing_wysiwyg: html,
        });
        const id = made.getResults('thing_id') as number;
        const read = async () => (await readThing(world, id)).thing_wysiwyg;
        const before = await read();
        const path = `${world.site.url}${MODEL}/thing/update/${id}`;
        await page.goto(path);
        await page.waitForSelector('[data-field=thing_wysiwyg] [data-rich-on]');
        assert.is(await page.locator('#t-thing_wysiwyg').isVisible(), edited === undefined, html);
        await page.locator('#t-thing_text').fill('y');
        await save();
        assert.is(await read(), before);
        if (edited === undefined) continue;
        await page.goto(path);
        await page.locator('[data-field=thing_wysiwyg] [role=textbox]').press('Control+Home');
        await page.keyboard.type('X');
        await save();
        assert.is(bare(await read()), edited);
      }
      await page.context().close();
    },
  );
}

forms.run();
