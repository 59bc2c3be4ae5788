import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Folders, type RunResult, run } from './run.ts';

const OWNER = 'owner@example.org';
const user = suite<{ root: string; at: (...argv: string[]) => Promise<RunResult> }>('user');
const folders = new Folders();

user.before(async (world) => {
  const root = folders.makeProject('bare');
  world.at = (...argv) => run([...argv, '--no-interactive'], { cwd: root, stdin: 'a long enough word\n' });
  for (const argv of [
    ['api', 'populate'],
    ['app', 'create', 'reader', '--title', 'Reader', '--owner', OWNER],
    ['app', 'create', 'writer', '--title', 'Writer', '--owner', 'nobody@example.org'],
    ['migrate', '--yes'],
  ])
    assert.is((await world.at(...argv)).code, 0, argv.join(' '));
});
user.after(() => folders.remove());

const find = async (at: (...argv: string[]) => Promise<RunResult>, email: string) => {
  const rows = JSON.parse((await at('user', 'list', '--all', '--json')).out) as Record<string, unknown>[];
  return rows.find(({ auth_slug: slug }) => slug === email);
};
const remarksOf = async (at: (...argv: string[]) => Promise<RunResult>) => {
  const rows = JSON.parse((await at('app', 'list', '--json')).out) as { name: string; ownerRemark: string | null }[];
  return Object.fromEntries(rows.map(({ name, ownerRemark }) => [name, ownerRemark]));
};
const signUp = (at: (...argv: string[]) => Promise<RunResult>, email: string) =>
  at('emit', 'auth-create', `auth_slug=${email}`, 'auth_password=a long enough word', 'profile_name=Somebody');

user('the commands tell of an owner that only signed up, and verify gives the app', async ({ at }) => {
  assert.is((await signUp(at, OWNER)).code, 0);
  assert.is((await find(at, OWNER))?.auth_verified, 0);
  const before = await remarksOf(at);
  assert.match(String(before.reader), `is not verified and does not get it: treadle user verify ${OWNER}`);
  assert.match(String(before.writer), 'has no account: treadle user create --email nobody@example.org');
  const { findings } = JSON.parse((await at('doctor', '--json')).out) as { findings: Record<string, string>[] };
  const told = findings.filter(({ what }) => what?.startsWith('app '));
  assert.equal(
    told.map(({ what, state }) => `${what} ${state}`),
    ['app reader advice', 'app writer advice'],
  );
  const tried = await at('user', 'verify', OWNER, '--dry-run');
  assert.match(tried.out, `would verify ${OWNER}`);
  assert.is((await find(at, OWNER))?.auth_verified, 0);
  const done = await at('user', 'verify', 'Owner@Example.org');
  assert.match(done.out, `${OWNER} is verified; it owns reader`);
  assert.is((await find(at, OWNER))?.auth_verified, 1);
  assert.is((await remarksOf(at)).reader, null);
});

user('create makes a verified account, which owns what a file gives to it', async ({ at }) => {
  const made = await at('user', 'create', '--email', 'nobody@example.org', '--name', 'Nobody');
  assert.is(made.code, 0, made.err);
  assert.is((await find(at, 'nobody@example.org'))?.auth_verified, 1);
  assert.equal(await remarksOf(at), { reader: null, writer: null });
});

user('verify names nobody by an address that has no account', async ({ at }) => {
  const answer = await at('user', 'verify', 'missing@example.org');
  assert.is(answer.code, 1);
  assert.match(answer.err, 'There is no such account.');
});

user('second-factor remove says whether there was one; show names none', async ({ at }) => {
  await signUp(at, 'plain@example.org');
  const refused = await at('user', 'second-factor', 'remove', 'plain@example.org');
  assert.is(refused.code, 1);
  assert.match(refused.err, 'The account has no second factor.');
  assert.match((await at('user', 'second-factor', 'remove', 'plain@example.org', '--dry-run')).out, 'would remove');
  assert.match((await at('user', 'second-factor', 'remove', 'missing@example.org')).err, 'There is no such account.');
  const { second_factor: second } = JSON.parse((await at('user', 'show', 'plain@example.org', '--json')).out);
  assert.equal(second, { rows: [], recovery_codes: 0, devices: [] });
});

user('enable lets a disabled user in again; verify does not', async ({ at }) => {
  await signUp(at, 'away@example.org');
  await at('user', 'disable', 'away@example.org');
  const verified = await at('user', 'verify', 'away@example.org');
  assert.match(verified.out + verified.err, 'treadle user enable away@example.org');
  assert.is((await find(at, 'away@example.org'))?.auth_active, 0);
  assert.match((await at('user', 'list', '--all')).out, 'disabled');
  assert.match((await at('user', 'enable', 'away@example.org')).out, 'can log in again');
  assert.is((await find(at, 'away@example.org'))?.auth_active, 1);
});

user('create names the required columns that are missing, and takes a file', async () => {
  const root = folders.makeProject('bare');
  const at = (...argv: string[]) => run([...argv, '--no-interactive'], { cwd: root, stdin: 'a long enough word\n' });
  const path = join(root, 'config/schema/profile.json');
  const profile = JSON.parse(readFileSync(path, 'utf8')) as { fields: object[] };
  const validation = [{ method: 'required', message: 'Needed' }];
  profile.fields.push({ name: 'city', label: 'City', type: 'text', validation });
  profile.fields.push({ name: 'photo', label: 'Photo', type: 'image', validation });
  writeFileSync(path, JSON.stringify(profile));
  const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  writeFileSync(join(root, 'me.png'), Buffer.from(picture, 'base64'));
  assert.is((await at('migrate', '--yes')).code, 0);
  const create = (...more: string[]) => at('user', 'create', '--email', 'me@example.org', '--name', 'Me', ...more);
  const missing = await create();
  assert.is(missing.code, 64);
  assert.match(missing.err, 'The profile needs profile_city, profile_photo (a file).');
  assert.match(missing.err, '--set profile_city="City" --set profile_photo=@path/to/file');
  const unread = await create('--set', 'profile_city=Paris', '--set', 'profile_photo=@you.png');
  assert.match(unread.err, /--set profile_photo can't read the file .*you\.png/);
  const done = await create('--set', 'profile_city=Paris', '--set', 'profile_photo=@me.png', '--json');
  assert.is(done.code, 0, done.err);
  assert.match(JSON.parse(done.out).profile_photo, /^\/upload\/.+\.png$/);
});

user.run();
