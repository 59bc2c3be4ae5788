import * as assert from 'uvu/assert';
import type { Hand } from './_hand.ts';
import { PASSWORD, sees } from './_walk-schema.ts';

/** Opens the API, as `treadle api populate` does, and makes a REST call that finds articles. */
export async function openApi(hand: Hand): Promise<void> {
  await hand.menu('Settings');
  await hand.tick('API');
  await hand.press('Save');
  await sees(hand, 'Saved config/settings.json');
  await hand.menu('REST calls');
  await hand.follow('New');
  await hand.write('Name of the file', 'find-articles');
  await hand.write('Title', 'Find articles');
  await hand.choose('Access', 'public');
  await hand.choose('Method', 'get');
  await hand.write('Path', '/public/article/find');
  await hand.write('Event', 'system-model-search');
  await hand.write('Key 1 of Fixed parameters', 'schema');
  await hand.write('Value 1 of Fixed parameters', 'article');
  await hand.press('Save');
  await hand.write('Query', 'limit=1');
  await hand.push('Send');
  await sees(hand, '"article_title"');
}

/** Makes a web hook, and an article that fires it. */
export async function makeHook(hand: Hand, url: string): Promise<void> {
  await hand.menu('Web hooks');
  await hand.follow('New');
  await hand.choose('Start with', 'Article created');
  await hand.press('Fill in');
  await hand.write('URL', url);
  await hand.press('Save');
  await hand.menu('Articles');
  await hand.follow('Create Article');
  await hand.write('Title', 'Announced');
  await hand.press('Create');
}

/** Loads the log of the hook again until it has the delivery. */
export async function seeDelivery(hand: Hand): Promise<void> {
  await hand.menu('Web hooks');
  await hand.follow('Article created');
  const delivered = hand.page.getByRole('main').locator('.t-badge', { hasText: 'Delivered' });
  for (let looks = 0; looks < 20 && (await delivered.count()) === 0; looks += 1) await hand.page.reload();
  await delivered.first().waitFor();
}

/** Makes a role that reads and writes articles and removes none, and invites a person who holds it. */
export async function makeRole(hand: Hand): Promise<void> {
  await hand.menu('Roles');
  await hand.follow('New');
  await hand.write('Slug', 'writer');
  await hand.write('Name', 'Writer');
  await hand.choose('Method 1', 'get');
  await hand.write('Path 1', '/admin');
  await hand.choose('Method 2', 'all');
  await hand.write('Path 2', '/admin/system/model/article/**');
  await hand.press('Save');
  for (const action of ['search', 'detail', 'create', 'update']) await hand.choose(`Articles: ${action}`, 'yes');
  await hand.press('Save the rules');
  await hand.press('Save the rules');
  await hand.menu('People');
  await hand.follow('Invite a person');
  await hand.write('E-mail', 'ben@example.org');
  await hand.write('Name', 'Ben');
  await hand.choose('Role', 'Writer');
  await hand.press('Invite');
  await confirm(hand);
  await sees(hand, 'ben@example.org');
}

/** What changes access asks for the password again ten minutes after it was given: a slow machine takes longer. */
async function confirm(hand: Hand): Promise<void> {
  if (!hand.page.url().includes('/auth/confirm')) return;
  await hand.write('Password', PASSWORD);
  await hand.press('Confirm by password');
}

/** Chooses the password of the invited person by the link of the mail. */
export async function acceptInvitation(hand: Hand, origin: string): Promise<void> {
  await hand.visit(`${origin}/__treadle/mail`);
  await hand.unfold('Your account at Shop');
  await hand.follow(/^http/);
  await hand.write('New password', PASSWORD);
  await hand.write('New password again', PASSWORD);
  await hand.press('Save the password');
}

/** Does what the role allows, and is refused what it does not. */
export async function actAsWriter(hand: Hand, origin: string): Promise<void> {
  await hand.visit(`${origin}/admin`);
  await hand.write('E-mail', 'ben@example.org');
  await hand.write('Password', PASSWORD);
  await hand.press('Log in');
  await hand.menu('Articles');
  await hand.write('Words', 'Announced');
  await hand.press('Search');
  await hand.follow('Announced');
  await hand.follow('Edit');
  await hand.write('Author', 'Ben');
  await hand.press('Save changes');
  await sees(hand, 'Saved.');
  assert.is(await hand.page.getByRole('link', { name: 'Remove', exact: true }).count(), 0);
  const row = new URL(hand.page.url()).pathname;
  await hand.visit(`${origin}${row.replace('detail', 'remove')}`);
  await sees(hand, 'Your role does not allow this for Articles.');
  await hand.visit(`${origin}/admin/system/schema/search`);
  await sees(hand, 'Your account may not open this.');
}

/** The commands that make the files of the REST call, the web hook, the role and the settings. */
export const toApiCommands = (hookUrl: string): readonly (readonly string[])[] => [
  [
    ...['rest', 'create', 'find-articles', '--title', 'Find articles', '--access', 'public', '--method', 'get'],
    ...['--path', '/public/article/find', '--event', 'system-model-search', '--parameter', 'schema=article'],
  ],
  [
    ...['webhook', 'create', 'article-created', '--title', 'Article created', '--event', 'system-model-create'],
    ...['--parameter', 'schema=article', '--type', 'article.created', '--url', hookUrl],
  ],
  ['role', 'create', 'writer', '--permission', 'get:/admin', '--permission', 'all:/admin/system/model/article/**'],
  ...['search', 'detail', 'create', 'update'].map((action) => ['role', 'allow', 'writer', 'article', action]),
  ['api', 'populate'],
];
