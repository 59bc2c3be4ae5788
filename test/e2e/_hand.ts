import type { Locator, Page } from 'playwright-core';

/**
 * What a person does with a page. A way names a control as the page does, after the names of the groups around it:
 * `Add a field > Name`. The drivers are a pointer, with or without scripts, and the keyboard.
 */
export interface Hand {
  readonly page: Page;
  /** False if the browser runs no scripts. */
  readonly hasScripts: boolean;
  /** Opens an entry of the admin section's menu. */
  menu(entry: string): Promise<void>;
  /** Opens an address, as a person does who types it. */
  visit(address: string): Promise<void>;
  /** Follows a link to another page. */
  follow(way: string | RegExp): Promise<void>;
  /** Presses a button that leads to another page, or to the same one again. */
  press(way: string): Promise<void>;
  /** Presses a button that a script answers in the page; without scripts the server does. */
  push(way: string): Promise<void>;
  /** Opens or closes what is folded. */
  unfold(way: string): Promise<void>;
  write(way: string, text: string): Promise<void>;
  /** Writes into an editor of formatted text; without scripts, HTML into its lines. */
  compose(way: string, text: string): Promise<void>;
  choose(way: string, option: string): Promise<void>;
  tick(way: string): Promise<void>;
  /** Chooses one of several radio buttons. */
  pick(way: string): Promise<void>;
  attach(way: string, file: string): Promise<void>;
  /** Follows a link to a file and gives its text. */
  download(way: string): Promise<string>;
}

type Place = Page | Locator;

const quote = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The part of a page that a way names, and the name of the control in it. */
function enter(page: Page, way: string): [Place, string] {
  const names = way.split(' > ');
  const last = String(names.pop());
  const start = names[0] === MENU ? page : page.getByRole('main');
  return [names.reduce(step, start as Place), last];
}

/** Name of the admin section's menu; everything else is looked for in the page's main part. */
export const MENU = 'Admin';

function step(place: Place, name: string): Locator {
  const exact = { name, exact: true };
  const group = place.getByRole('group', exact).or(place.getByRole('region', exact));
  return group.or(place.getByRole('form', exact)).or(place.getByRole('navigation', exact)).first();
}

export function findRole(page: Page, role: 'link' | 'button', way: string | RegExp): Locator {
  if (typeof way !== 'string') return page.getByRole('main').getByRole(role, { name: way }).first();
  const [place, name] = enter(page, way);
  return place.getByRole(role, { name, exact: true }).first();
}

/** An input, by its label; what the label says besides, such as "optional", is left out. */
export function findField(page: Page, way: string): Locator {
  const [place, name] = enter(page, way);
  const label = new RegExp(`^${quote(name)}(\\s*(optional|\\(required\\)|for writes))?$`);
  const labelled = place.getByLabel(label).and(page.locator('input, select, textarea'));
  // The text of a label around a select has its options too.
  return labelled
    .or(place.getByRole('combobox', { name, exact: true }))
    .filter({ visible: true })
    .first();
}

/** A box to tick or a radio button, by the start of its label: a hint may follow. */
export function findBox(page: Page, role: 'checkbox' | 'radio' | 'switch', way: string): Locator {
  const [place, name] = enter(page, way);
  const exact = place.getByRole(role, { name, exact: true });
  return exact.or(place.getByRole(role, { name: new RegExp(`^${quote(name)}\\s`) })).first();
}

export const findTick = (page: Page, way: string): Locator =>
  findBox(page, 'checkbox', way)
    .or(findBox(page, 'switch', way))
    .first();

export function findSummary(page: Page, way: string): Locator {
  const [place, name] = enter(page, way);
  return place.locator('summary', { hasText: new RegExp(`^\\s*${quote(name)}`) }).first();
}

export function findEditor(page: Page, way: string): Locator {
  const [place, name] = enter(page, way);
  return place.getByRole('textbox', { name, exact: true }).and(page.locator('[contenteditable]')).first();
}

/** Waits until the page that an action leads to has loaded. */
export async function untilLoaded(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent('load'), act()]);
}

export async function readDownload(page: Page, act: () => Promise<unknown>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** A pointer: a mouse, or a finger on a phone. */
export class Pointer implements Hand {
  readonly page: Page;
  readonly hasScripts: boolean;
  constructor(page: Page, hasScripts = true) {
    this.page = page;
    this.hasScripts = hasScripts;
  }

  async menu(entry: string): Promise<void> {
    const opener = this.page.getByRole('link', { name: 'Menu', exact: true });
    if (await opener.isVisible()) await opener.click();
    await this.follow(`${MENU} > ${entry}`);
  }

  async visit(address: string): Promise<void> {
    await this.page.goto(address);
  }

  follow(way: string | RegExp): Promise<void> {
    return untilLoaded(this.page, () => findRole(this.page, 'link', way).click());
  }

  press(way: string): Promise<void> {
    return untilLoaded(this.page, () => findRole(this.page, 'button', way).click());
  }

  push(way: string): Promise<void> {
    return this.hasScripts ? findRole(this.page, 'button', way).click() : this.press(way);
  }

  unfold(way: string): Promise<void> {
    return findSummary(this.page, way).click();
  }

  async write(way: string, text: string): Promise<void> {
    const field = findField(this.page, way);
    await field.click();
    await field.fill(text);
  }

  async compose(way: string, text: string): Promise<void> {
    if (!this.hasScripts) return this.write(way, `<p>${text}</p>`);
    await findEditor(this.page, way).click();
    await this.page.keyboard.type(text);
  }

  async choose(way: string, option: string): Promise<void> {
    await findField(this.page, way).selectOption({ label: option });
  }

  tick(way: string): Promise<void> {
    return findTick(this.page, way).check();
  }

  pick(way: string): Promise<void> {
    return findBox(this.page, 'radio', way).check();
  }

  async attach(way: string, file: string): Promise<void> {
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), findField(this.page, way).click()]);
    await chooser.setFiles(file);
  }

  download(way: string): Promise<string> {
    return readDownload(this.page, () => findRole(this.page, 'link', way).click());
  }
}
