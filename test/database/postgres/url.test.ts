import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TreadleError } from '../../../src/core/errors.ts';
import { parsePostgresUrl } from '../../../src/database/postgres/url.ts';

const test = suite('database/postgres/url');

/** The parts expected of a URL; others are left out. */
const CASES: readonly [string, Record<string, unknown>][] = [
  ['postgres://h/d', { host: 'h', database: 'd', application_name: 'treadle', ssl: false }],
  ['postgresql://u:p%40%2F@h:6543/d', { host: 'h', port: 6543, user: 'u', password: 'p@/', database: 'd' }],
  ['postgres:///d?host=/var/run/postgresql', { host: '/var/run/postgresql', database: 'd' }],
  ['postgres://[::1]:5433/d', { host: '::1', port: 5433 }],
  [
    'postgres://h/d?application_name=mine&channel_binding=require',
    { application_name: 'mine', enableChannelBinding: true },
  ],
  ['postgres://h/d?sslmode=disable', { ssl: false }],
  ['postgres://h/d?sslmode=prefer', { ssl: false }],
  ['postgres://h/d?sslmode=require', { ssl: { rejectUnauthorized: false } }],
  ['postgres://h/d?sslmode=verify-full', { ssl: { rejectUnauthorized: true } }],
  ['postgres://h/d?sslmode=require&sslrootcert=system', { ssl: { rejectUnauthorized: true } }],
];
for (const [url, wanted] of CASES) {
  test(`reads ${url}`, () => {
    const { config } = parsePostgresUrl(url);
    const found = Object.fromEntries(Object.keys(wanted).map((key) => [key, config[key as keyof typeof config]]));
    assert.equal(found, wanted);
  });
}

test('without a user it is the one that runs the process, also where USER is not set', () => {
  const { config } = parsePostgresUrl('postgres://h/d');
  assert.is(config.user, process.env.PGUSER ?? userInfo().username);
});

test('schema, pool and prepare are ours', () => {
  const plain = parsePostgresUrl('postgres://h/d');
  assert.equal([plain.schema, plain.pool, plain.isPreparing], [undefined, 10, true]);
  const full = parsePostgresUrl('postgres://h/d?schema=a%20b&pool=3&prepare=0');
  assert.equal([full.schema, full.pool, full.isPreparing], ['a b', 3, false]);
});

const SERVERS: readonly [string, readonly object[]][] = [
  ['postgres://h/d', [{ host: 'h', port: undefined }]],
  ['postgres:///d', [{ host: undefined, port: undefined }]],
  [
    'postgres://u:p%2C%40@a:1,b:2,[::1]:3/d',
    [
      { host: 'a', port: 1 },
      { host: 'b', port: 2 },
      { host: '::1', port: 3 },
    ],
  ],
  [
    'postgres://a,b:2/d',
    [
      { host: 'a', port: undefined },
      { host: 'b', port: 2 },
    ],
  ],
  [
    'postgres:///d?host=a,b&port=7',
    [
      { host: 'a', port: 7 },
      { host: 'b', port: 7 },
    ],
  ],
  [
    'postgres:///d?host=a,b&port=7,8',
    [
      { host: 'a', port: 7 },
      { host: 'b', port: 8 },
    ],
  ],
];
for (const [url, hosts] of SERVERS) {
  test(`finds the servers of ${url}`, () => {
    const target = parsePostgresUrl(url);
    assert.equal(target.hosts, hosts);
    assert.is(target.config.database, 'd');
    if (url.includes('u:p')) assert.equal([target.config.user, target.config.password], ['u', 'p,@']);
  });
}

test('target_session_attrs and the time-outs', () => {
  const plain = parsePostgresUrl('postgres://h/d');
  assert.equal([plain.session, plain.connectMilliseconds, plain.statementMilliseconds], ['any', 1500, 25_000]);
  const given = parsePostgresUrl(
    'postgres://h/d?target_session_attrs=prefer-standby&connect_timeout=3&statement_timeout=0',
  );
  assert.equal([given.session, given.connectMilliseconds, given.statementMilliseconds], ['prefer-standby', 3000, 0]);
});

test('certificates are read; verify-ca asks for the chain and not for the name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-tls-'));
  try {
    const file = join(folder, 'root.pem');
    writeFileSync(file, 'PEM');
    const at = (mode: string) => parsePostgresUrl(`postgres://h/d?sslmode=${mode}&sslrootcert=${file}`).config.ssl;
    const [chain, full] = [at('verify-ca'), at('verify-full')] as unknown as Record<string, unknown>[];
    assert.equal([chain?.ca, chain?.rejectUnauthorized, typeof chain?.checkServerIdentity], ['PEM', true, 'function']);
    assert.equal([full?.ca, full?.rejectUnauthorized, full?.checkServerIdentity], ['PEM', true, undefined]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const REFUSED: readonly [string, RegExp][] = [
  ['postgres://me:hunter2@h/d?shema=x', /unknown parameter "shema"/],
  ['postgres://me:hunter2@h/d?sslmode=yes', /sslmode: yes/],
  ['postgres://me:hunter2@h/d?pool=0', /pool=0/],
  ['postgres://me:hunter2@h/d?pool=many', /pool=many/],
  ['postgres://me:hunter2@h/d?sslmode=verify-full&sslrootcert=/nowhere', /sslrootcert/],
  ['postgres://me:hunter2@h/d?target_session_attrs=read-wrote', /target_session_attrs=read-wrote/],
  ['postgres://me:hunter2@h/d?connect_timeout=0', /connect_timeout=0/],
  ['postgres://me:hunter2@h/d?statement_timeout=30s', /statement_timeout=30s/],
  ['postgres://me:hunter2@a,b/d?port=1,2,3', /ports/],
  ['postgres://me:hunter2@a:1,b:port/d', /cannot be read/],
  ['postgres://me:hunter2%zz@h/d', /"%"/],
  ['postgres://me:hunter2@h:port/d', /cannot be read/],
];
for (const [url, message] of REFUSED) {
  test(`refuses ${url}, and never says the password`, () => {
    try {
      parsePostgresUrl(url);
      assert.unreachable();
    } catch (error) {
      assert.instance(error, TreadleError);
      const { code, message: said, hint } = error as TreadleError;
      assert.is(code, 'DATABASE_URL_UNSUPPORTED');
      assert.match(said, message);
      assert.ok(hint);
      assert.not.match(`${said} ${hint}`, 'hunter2');
    }
  });
}

test.run();
