import type { Locator, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import {
  findBox,
  findEditor,
  findField,
  findRole,
  findSummary,
  findTick,
  type Hand,
  MENU,
  readDownload,
  untilLoaded,
} from './_hand.ts';

/** More presses than any page needs: a Tab that does not lead on is a trap. */
const MOST_PRESSES = 600;

/** Where the focus is, compared with an element: on it, before it or after it in the page. */
const compareFocus = (target: Locator): Promise<'there' | 'nowhere' | 'back' | 'on'> =>
  target.evaluate((element) => {
    const { activeElement: active, body } = element.ownerDocument;
    if (active === element) return 'there';
    if (active === null || active === body) return 'nowhere';
    return active.compareDocumentPosition(element) & 2 ? 'back' : 'on';
  });

/**
 * What is typed into the parts of a date, month first and with AM or PM, as the browser of the tests shows it. A field with a
 * step has seconds.
 */
const TYPED: Readonly<Record<string, (text: string, seconds: readonly string[]) => readonly string[]>> = {
  date: (text) => [text.slice(5, 7), text.slice(8, 10), text.slice(0, 4)],
  time: toClock,
  'datetime-local': (text, seconds) => [
    ...[text.slice(5, 7), text.slice(8, 10), text.slice(0, 4)],
    'Tab',
    ...toClock(text.slice(11), seconds),
  ],
  month: (text) => [MONTHS[Number(text.slice(5, 7)) - 1] ?? '', 'Tab', text.slice(0, 4)],
  week: (text) => [text.slice(6, 8), text.slice(0, 4)],
};
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function toClock(text: string, seconds: readonly string[]): readonly string[] {
  const hour = Number(text.slice(0, 2));
  return [String(hour % 12 || 12).padStart(2, '0'), text.slice(3, 5), ...seconds, hour < 12 ? 'AM' : 'PM'];
}

/** The keyboard alone: no pointer, and no script that moves the focus. */
export class Keyboard implements Hand {
  readonly page: Page;
  readonly hasScripts = true;
  /** Presses of Tab so far. */
  tabs = 0;
  constructor(page: Page) {
    this.page = page;
  }

  async #key(key: string): Promise<void> {
    if (key.endsWith('Tab')) this.tabs += 1;
    await this.page.keyboard.press(key);
  }

  /** Presses Tab, or Shift and Tab, until an element has the focus. */
  async #reach(target: Locator): Promise<void> {
    await target.waitFor();
    const isInMain = await target.evaluate((element) => element.closest('#content') !== null);
    for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
      const where = await compareFocus(target);
      if (where === 'there') return;
      await this.#key(where === 'back' ? 'Shift+Tab' : 'Tab');
      // The first Tab of a page reaches the link that skips its header and menu.
      if (presses === 0 && isInMain && (await this.page.locator('.t-skip:focus').count()) > 0) await this.#key('Enter');
    }
    const focused = await this.page.evaluate('document.activeElement?.outerHTML?.slice(0, 200)');
    assert.unreachable(`no Tab reaches ${target}; the focus is on ${focused}`);
  }

  /** The palette goes anywhere; a person whose roles do not open it tabs to the menu. */
  async menu(entry: string): Promise<void> {
    if ((await this.page.locator('#t-go').count()) === 0) return this.follow(`${MENU} > ${entry}`);
    await this.#key('Control+k');
    const palette = this.page.getByRole('dialog', { name: 'Go to' });
    await palette.waitFor();
    await this.page.keyboard.type(entry);
    const option = palette.getByRole('option', { selected: true }).filter({ hasText: new RegExp(`^${entry}`) });
    await option.waitFor();
    await untilLoaded(this.page, () => this.#key('Enter'));
  }

  async visit(address: string): Promise<void> {
    await this.page.goto(address);
  }

  async follow(way: string | RegExp): Promise<void> {
    await this.#reach(findRole(this.page, 'link', way));
    await untilLoaded(this.page, () => this.#key('Enter'));
  }

  async press(way: string): Promise<void> {
    await this.#reach(findRole(this.page, 'button', way));
    await untilLoaded(this.page, () => this.#key('Enter'));
  }

  async push(way: string): Promise<void> {
    await this.#reach(findRole(this.page, 'button', way));
    await this.#key('Enter');
  }

  async unfold(way: string): Promise<void> {
    await this.#reach(findSummary(this.page, way));
    await this.#key('Enter');
  }

  async write(way: string, text: string): Promise<void> {
    const field = findField(this.page, way);
    await this.#reach(field);
    const type = String(await field.getAttribute('type'));
    const typed = TYPED[type]?.(text, (await field.getAttribute('step')) === null ? [] : ['00']);
    for (const part of typed ?? []) {
      if (part === 'Tab') await this.#key('Tab');
      else await this.page.keyboard.type(part);
    }
    if (typed !== undefined) return;
    await this.#key('Control+a');
    await this.#key('Delete');
    await this.page.keyboard.type(text);
  }

  async compose(way: string, text: string): Promise<void> {
    await this.#reach(findEditor(this.page, way));
    await this.page.keyboard.type(text);
  }

  /** Typing finds an option by its first letters; arrows do the rest. */
  async choose(way: string, option: string): Promise<void> {
    const field = findField(this.page, way);
    await this.#reach(field);
    const options = await field.locator('option').allTextContents();
    const countSteps = async (): Promise<number> =>
      options.indexOf(option) - (await field.evaluate((select) => (select as HTMLSelectElement).selectedIndex));
    // What has no key of its own is not pressed but inserted, and goes into the text field before the list.
    const [keys = ''] = /^[ -~]*/.exec(option) ?? [];
    if ((await countSteps()) !== 0) await this.page.keyboard.type(keys.trim());
    for (let steps = await countSteps(); steps !== 0; steps -= Math.sign(steps))
      await this.#key(steps > 0 ? 'ArrowDown' : 'ArrowUp');
    assert.is(await countSteps(), 0, `${way}: keys choose "${option}"`);
  }

  async tick(way: string): Promise<void> {
    const box = findTick(this.page, way);
    await this.#reach(box);
    if (!(await box.isChecked())) await this.#key('Space');
  }

  /** Tab leads to one button of the group, arrows to the others. */
  async pick(way: string): Promise<void> {
    const radio = findBox(this.page, 'radio', way);
    await radio.waitFor();
    const name = String(await radio.getAttribute('name'));
    const group = this.page.locator(`input[type=radio][name="${name}"]`);
    const checked = group.and(this.page.locator(':checked'));
    if (await radio.isChecked()) return;
    await this.#reach((await checked.count()) > 0 ? checked.first() : group.first());
    if ((await checked.count()) === 0) await this.#key('Space');
    for (let left = await group.count(); left > 0 && !(await radio.isChecked()); left -= 1)
      await this.#key('ArrowDown');
    assert.ok(await radio.isChecked(), `arrows reach ${way}`);
  }

  async attach(way: string, file: string): Promise<void> {
    await this.#reach(findField(this.page, way));
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), this.#key('Enter')]);
    await chooser.setFiles(file);
  }

  async download(way: string): Promise<string> {
    await this.#reach(findRole(this.page, 'link', way));
    return readDownload(this.page, () => this.#key('Enter'));
  }
}
