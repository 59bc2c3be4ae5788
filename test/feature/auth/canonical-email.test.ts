import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../../boot.ts';
import { PASSWORD } from '../../client.ts';

const suiteOf = suite('one canonical e-mail address');
const at: { site?: Site } = {};
const site = (): Site => at.site as Site;

/** Ways to type one mailbox. */
const TYPED = [
  'Ann@MÜNCHEN.example',
  'ann@münchen.example.',
  'ann@XN--mnchen-3ya.Example',
  ' ann@xn--mnchen-3ya.example. ',
];
const ASCII = 'xn--mnchen-3ya.example';

suiteOf.before(async () => {
  at.site = await boot({
    mode: 'development',
    change(project) {
      const profile = JSON.parse(project.read('config/schema/profile.json'));
      profile.fields.push({ name: 'contact', label: 'Contact', type: 'email' });
      project.write('config/schema/profile.json', profile);
    },
  });
});
suiteOf.after(() => site().close());

const listSlugs = async (): Promise<string[]> =>
  (await site().rows('treadle_auth')).map((row) => String(row.auth_slug)).sort();

const account = (auth_slug: string) => ({ auth_slug, auth_password: PASSWORD, profile_name: 'Ann' });
const logIn = (auth_slug: string) => site().browser().post('/auth/login', { auth_slug, auth_password: PASSWORD });

/** Ways in that make an account; each gives whether it was made. */
const MAKERS: Readonly<Record<string, (email: string) => Promise<boolean>>> = {
  signup: async (email) =>
    (
      await site()
        .browser()
        .post('/auth/signup', { ...account(email), confirm: PASSWORD })
    ).status === 303,
  'auth-create': async (email) => !(await site().app.emit('auth-create', account(email))).isError(),
  'auth-invite': async (email) =>
    !(await site().app.emit('auth-invite', { auth_slug: email, profile_name: 'Ann' })).isError(),
  'admin invites': async (email) => {
    const admin = await site().as('Boss', ['admin']);
    return (await admin.post('/admin/user/invite', { auth_slug: email, profile_name: 'Ann' })).status === 303;
  },
  'user invite': (email) =>
    site()
      .cli('user', 'invite', '--email', email, '--name', 'Ann')
      .then(
        () => true,
        () => false,
      ),
};

for (const [name, make] of Object.entries(MAKERS)) {
  const local = name.replace(/\W/g, '');
  suiteOf(`${name}: one mailbox, one account`, async () => {
    const typed = TYPED.map((text) => text.replace(/ann/i, local));
    assert.is(await make(typed[0] as string), true, 'the first');
    for (const text of typed.slice(1)) assert.is(await make(text), false, text);
    const own = (await listSlugs()).filter((slug) => slug.startsWith(local.toLowerCase()));
    assert.equal(own, [`${local.toLowerCase()}@${ASCII}`]);
  });
  suiteOf(`${name}: refuses addresses that no server takes`, async () => {
    for (const text of [`${'x'.repeat(65)}@example.org`, `müller${local}@example.org`, 'ann@exa mple.org'])
      assert.is(await make(text), false, text);
  });
}

suiteOf('tells what is wrong with a local part beyond ASCII', async () => {
  const response = await site().app.emit('auth-create', account('müller@example.org'));
  assert.match(String(response.getValidation('auth_slug')), 'only ASCII characters before the @');
});

suiteOf('every look-up takes every form', async () => {
  await site().emit('auth-create', account(`bea@${ASCII}`));
  for (const text of TYPED) {
    const typed = text.replace(/ann/i, 'Bea');
    assert.is((await logIn(typed)).status, 303, `login ${typed}`);
    assert.is((await site().emit('auth-detail', { auth_slug: typed })).getResults('auth_slug'), `bea@${ASCII}`);
    const before = (await site().mails()).length;
    await site().browser().post('/auth/forgot', { auth_slug: typed });
    const sent = (await site().mails()).slice(before).map(({ to }) => to);
    assert.equal(sent, [`bea@${ASCII}`], `forgot ${typed}`);
  }
});

suiteOf('an account from before the canonical form is found, and keeps its mailbox to itself', async () => {
  const { kysely } = site().app.services.database;
  for (const [index, former] of [`former@münchen.example`, 'former@example.net.'].entries()) {
    const made = await site().emit('auth-create', account(`temporary${index}@example.org`));
    const id = made.getResults('auth_id');
    await kysely.updateTable('treadle_auth').set({ auth_slug: former }).where('auth_id', '=', id).execute();
    const forms = index === 0 ? [former, `FORMER@${ASCII}`] : [former, 'former@example.net'];
    for (const text of forms) {
      assert.is((await logIn(text)).status, 303, `login ${text}`);
      assert.is((await site().app.emit('auth-create', account(text))).isError(), true, `taken ${text}`);
      assert.is((await site().emit('auth-detail', { auth_slug: text })).getResults('auth_id'), id);
    }
    const before = (await site().mails()).length;
    await site()
      .browser()
      .post('/auth/forgot', { auth_slug: forms[1] as string });
    const [mail] = (await site().mails()).slice(before);
    assert.is(mail?.to, index === 0 ? `former@${ASCII}` : 'former@example.net', 'the mail goes to the canonical form');
  }
});

suiteOf('a change of e-mail stores the canonical form, and knows the own one', async () => {
  await site().emit('auth-create', { ...account('cat@example.org'), auth_verified: 1 });
  const ask = (email: string) =>
    site().app.emit('auth-email', { auth_slug: 'cat@example.org', email, auth_current: PASSWORD });
  assert.is((await ask('Cat@Example.org.')).isError(), true, 'is the own one');
  assert.is((await ask('Cat@MÜNCHEN.example.')).getResults('email'), `cat@${ASCII}`);
});

suiteOf('fields of the type email store the domain in its canonical form', async () => {
  const made = await site().emit('auth-create', {
    ...account('dan@example.org'),
    profile_contact: 'Dan@MÜNCHEN.Example.',
  });
  assert.is(made.getResults('profile_contact'), `Dan@${ASCII}`);
  const wide = await site().app.emit('auth-create', {
    ...account('eva@example.org'),
    profile_contact: 'müller@example.org',
  });
  assert.is(wide.isError(), true);
});

suiteOf.run();
