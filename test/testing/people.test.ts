import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { openDatabase } from '../../src/database/open.ts';
import { startTestSite } from '../../src/testing/site.ts';
import { boot } from '../boot.ts';
import { Project } from '../project.ts';

const test = suite('people of a test site');

/** The stored hashes of the one test site whose data are in a folder. */
async function readHashes(folder: string): Promise<string[]> {
  const [name = ''] = readdirSync(folder).filter((entry) => entry.startsWith('treadle-test-'));
  const url = `sqlite:${join(folder, name, 'app.db')}`;
  const database = await openDatabase({ url, root: '/', log: silentLog, clock: systemClock, isMaking: false });
  try {
    const rows = await database.kysely.selectFrom('treadle_auth').select('auth_password').execute();
    return rows.map(({ auth_password }) => String(auth_password));
  } finally {
    await database.close();
  }
}

test('ten people, and one who signs up, have cheap hashes of their own, and log in', async () => {
  const project = new Project();
  const folder = mkdtempSync(join(tmpdir(), 'people-'));
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  const site = await startTestSite({ root: project.root });
  try {
    const people = await Promise.all(Array.from({ length: 10 }, (_, index) => site.person(`Person ${index}`)));
    for (const { email, password } of people) {
      const answer = await site.visitor().post('/auth/login', { auth_slug: email, auth_password: password });
      assert.is(answer.status, 303);
    }
    const typed = { auth_password: 'a long enough word', confirm: 'a long enough word' };
    const signup = { ...typed, profile_name: 'Signs up', auth_slug: 'signs@example.org' };
    assert.is((await site.visitor().post('/auth/signup', signup)).status, 303);
    const hashes = await readHashes(folder);
    assert.is(new Set(hashes).size, 11);
    for (const hash of hashes) assert.match(hash, /^\$scrypt\$ln=4,r=8,p=1\$/);
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    await site.close();
    rmSync(folder, { recursive: true });
    await project.remove();
  }
});

const COSTS = {
  test: '$scrypt$ln=4,r=8,p=1$',
  development: '$scrypt$ln=4,r=8,p=1$',
  production: '$scrypt$ln=15,r=8,p=3$',
} as const;

for (const mode of ['test', 'development', 'production'] as const)
  test(`the cost of a test counts for each hash, but not in production: ${mode}`, async () => {
    const env = { TREADLE_SECRET: 'only for this test, but long enough' };
    const change = (project: Project): Promise<unknown> => project.cli('migrate', '--yes');
    const site = await boot({ mode, env, change });
    try {
      await site.as('Ada');
      const hashes = (await site.rows('treadle_auth')).map((row) => String(row.auth_password));
      assert.is(hashes.length, 1);
      assert.is(hashes[0]?.slice(0, COSTS[mode].length), COSTS[mode]);
    } finally {
      await site.close();
    }
  });

test.run();
