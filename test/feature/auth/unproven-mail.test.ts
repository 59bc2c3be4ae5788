import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../../boot.ts';
import { PASSWORD } from '../../client.ts';

const suiteOf = suite('mail to an address that nobody has proven');
const at: { site?: Site } = {};
const site = (): Site => at.site as Site;
const LURE = 'Win now http evil example';

suiteOf.before(async () => {
  at.site = await boot({ mode: 'development', settings: { auth: { verify: true } } });
});
suiteOf.after(() => site().close());

/** All texts of the mails to an address. */
const readMails = async (to: string): Promise<string[]> =>
  (await site().mails()).filter((mail) => mail.to === to).map((mail) => `${mail.subject}\n${mail.text}\n${mail.html}`);

const toToken = (mail: string | undefined): string => /token=([\w-]+)/.exec(mail ?? '')?.[1] ?? '';

const opens = async (path: string, token: string): Promise<boolean> =>
  (await site().get(`${path}?token=${token}`)).status === 200;

suiteOf('greets nobody by a name that somebody typed, with every mail', async () => {
  const to = 'stranger@example.net';
  const form = { profile_name: LURE, auth_slug: to, auth_password: PASSWORD, confirm: PASSWORD };
  await site().browser().post('/auth/signup', form);
  await site().browser().post('/auth/forgot', { auth_slug: to });
  await site().browser().post('/auth/signup', form);
  await site().emit('auth-invite', { profile_name: LURE, auth_slug: 'invited@example.net' });
  const mails = [...(await readMails(to)), ...(await readMails('invited@example.net'))];
  assert.ok(mails.length >= 3, `${mails.length} mails`);
  for (const mail of mails) assert.not.match(mail, 'Win now');
});

suiteOf('greets the owner of a proven address, and not the new one', async () => {
  await site().emit('auth-create', {
    auth_slug: 'ann@example.org',
    auth_password: PASSWORD,
    profile_name: 'Ann Owl',
    auth_verified: 1,
  });
  await site().browser().post('/auth/forgot', { auth_slug: 'ann@example.org' });
  assert.match((await readMails('ann@example.org')).join(), 'Ann Owl');
  for (const email of ['one@example.org', 'two@example.org'])
    await site().emit('auth-email', { auth_slug: 'ann@example.org', email, auth_current: PASSWORD });
  assert.not.match((await readMails('one@example.org')).join(), 'Ann Owl');
});

suiteOf('a newer link ends the one before it', async () => {
  await site().mails();
  const [first] = await readMails('one@example.org');
  const [second] = await readMails('two@example.org');
  assert.is(await opens('/auth/verify', toToken(first)), false, 'the e-mail before');
  assert.is(await opens('/auth/verify', toToken(second)), true, 'the e-mail now');
  await site().browser().post('/auth/forgot', { auth_slug: 'ann@example.org' });
  const links = (await readMails('ann@example.org')).map(toToken);
  const open = await Promise.all(links.map((token) => opens('/auth/recover', token)));
  assert.ok(links.length >= 2);
  assert.equal(open.filter(Boolean).length, 1, 'only the newest');
  assert.is(await opens('/auth/verify', toToken(second)), true, 'a link of another purpose stays');
});

suiteOf('a change to an address that has an account ends the link before, too', async () => {
  const [second] = await readMails('two@example.org');
  await site().emit('auth-email', {
    auth_slug: 'ann@example.org',
    email: 'stranger@example.net',
    auth_current: PASSWORD,
  });
  assert.is(await opens('/auth/verify', toToken(second)), false);
});

for (const isProven of [true, false])
  suiteOf(
    `a change of e-mail ${isProven ? 'tells the old address' : 'is not told to an old address that nobody proved'}`,
    async () => {
      const [old, email] = [`old-${isProven}@example.org`, `fresh-${isProven}@example.org`];
      const account = { auth_slug: old, auth_password: PASSWORD, profile_name: LURE, auth_verified: isProven ? 1 : 0 };
      await site().emit('auth-create', account);
      // As an account from before `auth.verify` was on.
      const before = (await readMails(old)).length;
      await site().emit('auth-email', { auth_slug: old, email, auth_current: PASSWORD });
      const token = toToken((await readMails(email))[0]);
      await site().emit('auth-verify', { token, auth_password: PASSWORD });
      assert.is((await readMails(old)).length - before, isProven ? 1 : 0);
    },
  );

suiteOf('a link for the first administrator ends no sign-in at a provider', async () => {
  const { kysely } = site().app.services.database;
  const row = { key: 'x'.repeat(64), purpose: 'provider', auth_id: 0, expires_at: 9_999_999_999, data: null };
  await kysely.insertInto('treadle_auth_token').values(row).execute();
  const [one, two] = [await site().emit('auth-setup-link'), await site().emit('auth-setup-link')];
  const left = await kysely.selectFrom('treadle_auth_token').select('purpose').where('auth_id', '=', 0).execute();
  assert.equal(left.map(({ purpose }) => purpose).sort(), ['provider', 'setup']);
  assert.is(await opens('/auth/setup', toToken(String(one.getResults('link')))), false);
  assert.is(await opens('/auth/setup', toToken(String(two.getResults('link')))), true);
});

suiteOf.run();
