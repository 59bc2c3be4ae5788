import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { overrideSettings, readEnvironment, VARIABLES } from '../../src/project/environment.ts';
import { defaultSettings } from '../../src/project/read.ts';
import { createFolder } from './_folder.ts';

const test = suite('project/environment');
const SECRET = '0123456789abcdef0123456789abcdef';
/** By variable: the part of what is read, and a valid value. */
const VALUES = {
  PORT: ['port', '80'],
  HOST: ['host', '::1'],
  DATABASE_URL: ['databaseUrl', 'sqlite:a.db'],
  TREADLE_SECRET: ['secret', SECRET],
  TREADLE_BASE_URL: ['baseUrl', 'https://example.org'],
  LOG_LEVEL: ['logLevel', 'warn'],
  METRICS_TOKEN: ['metricsToken', SECRET],
  // Mail needs a sender.
  MAIL_URL: ['mailServer', 'smtp://127.0.0.1:25'],
  MAIL_FROM: ['mailFrom', 'a@example.org'],
  NODE_ENV: ['mode', 'production'],
} as const;

test('`.env` first, the process over it, empty as unset', () => {
  const folder = createFolder({
    '.env': `PORT=4000\nHOST=0.0.0.0\n# a comment\nTREADLE_SECRET="${SECRET}"\nNODE_ENV=production\nOTHER='a b'\nEMPTY=\n`,
  });
  const found = readEnvironment(folder.root, { PORT: '5000', HOST: '', DATABASE_URL: undefined });
  assert.is(found.port, 5000);
  assert.is(found.host, '0.0.0.0');
  assert.is(found.secret, SECRET);
  assert.is(found.mode, 'production');
  assert.is(readEnvironment(folder.root, { LOG_LEVEL: 'warn' }).logLevel, 'warn');
  assert.is(found.databaseUrl, undefined);
  assert.is(found.variables.OTHER, 'a b');
  assert.not.ok('EMPTY' in found.variables);
  assert.equal(found.problems, []);
  folder.remove();
});

test('a wrong variable is reported where it stands: in `.env`, or in the environment that overrides it', () => {
  const folder = createFolder({ '.env': 'DATABASE_URL=foo:bar\nPORT=x\n' });
  const find = (env: Record<string, string>) =>
    Object.fromEntries(readEnvironment(folder.root, env).problems.map(({ path, file }) => [path, file]));
  assert.equal(find({}), { PORT: '.env', DATABASE_URL: '.env' });
  assert.equal(find({ DATABASE_URL: 'mysql://x/y' }), { PORT: '.env', DATABASE_URL: 'environment' });
  assert.equal(find({ DATABASE_URL: '', PORT: '80' }), { DATABASE_URL: '.env' });
  folder.remove();
});

test('the reference lists what is read, and nothing else', () => {
  const folder = createFolder({ '.env': '' });
  const readParts = (env: Record<string, string>): Record<string, unknown> => {
    const { variables: _, own: __, problems, ...parts } = readEnvironment(folder.root, env);
    assert.equal(problems, [], JSON.stringify(env));
    return parts;
  };
  for (const [name, [part, value]] of Object.entries(VALUES)) {
    const sender: Record<string, string> = name === 'MAIL_URL' ? { MAIL_FROM: VALUES.MAIL_FROM[1] } : {};
    const without = readParts(sender);
    const found = Object.entries(readParts({ ...sender, [name]: value }));
    const changed = found.filter(([key, now]) => now !== undefined && without[key] === undefined);
    assert.equal(
      changed.map(([key]) => key),
      [part],
      name,
    );
  }
  const parts = Object.values(VALUES).map(([part]) => part);
  assert.equal(Object.keys(readParts({})).sort(), [...parts].sort());
  folder.remove();
  // Those of sign-in providers are read by the name of each provider.
  const fixed = Object.keys(VARIABLES).filter((name) => !name.includes('<'));
  assert.equal(Object.keys(VALUES).sort(), fixed.sort());
  for (const template of ['blog', 'bare']) {
    const example = readFileSync(join(packageRoot, 'scaffold', template, '_env.example'), 'utf8');
    const shown = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name);
    assert.equal(
      shown.filter((name) => !(name in VARIABLES)),
      [],
      template,
    );
    assert.equal(
      fixed.filter((name) => name !== 'NODE_ENV' && !shown.includes(name)),
      [],
      template,
    );
  }
});

test('a METRICS_TOKEN that is short is refused and not repeated', () => {
  const folder = createFolder();
  const found = readEnvironment(folder.root, { METRICS_TOKEN: 'fifteen-letters' });
  assert.is(found.metricsToken, undefined);
  assert.equal(
    found.problems.map(({ path }) => path),
    ['METRICS_TOKEN'],
  );
  assert.not.match(JSON.stringify(found.problems), 'fifteen');
  assert.is(readEnvironment(folder.root, { METRICS_TOKEN: 'sixteen-letters-' }).metricsToken, 'sixteen-letters-');
  folder.remove();
});

test('no file is nothing', () => {
  const folder = createFolder();
  const found = readEnvironment(folder.root, { PORT: '0' });
  assert.is(found.port, 0);
  assert.is(found.secret, undefined);
  folder.remove();
});

test('what is wrong is named, never repeated, and left out', () => {
  const folder = createFolder();
  const found = readEnvironment(folder.root, {
    PORT: '70000',
    DATABASE_URL: 'mysql://root:hunter2@localhost',
    TREADLE_SECRET: 'short',
    TREADLE_BASE_URL: 'example.org',
    LOG_LEVEL: 'loud',
  });
  assert.equal(
    found.problems.map(({ path }) => path),
    ['PORT', 'DATABASE_URL', 'TREADLE_SECRET', 'TREADLE_BASE_URL', 'LOG_LEVEL'],
  );
  assert.not.match(JSON.stringify(found.problems), /hunter2|short/);
  assert.equal(
    [found.port, found.databaseUrl, found.secret, found.baseUrl, found.logLevel],
    [undefined, undefined, undefined, undefined, undefined],
  );
  folder.remove();
});

test('the settings are overridden, and stay as they were', () => {
  const folder = createFolder();
  const settings = defaultSettings().value;
  const env = { DATABASE_URL: 'postgres://localhost/blog', TREADLE_BASE_URL: 'https://example.org/' };
  const over = overrideSettings(settings, readEnvironment(folder.root, env));
  assert.is(over.database.url, 'postgres://localhost/blog');
  assert.is(over.server.baseUrl, 'https://example.org');
  assert.is(over.server.bodyBytes, 1_048_576);
  assert.is(settings.database.url, 'sqlite:var/app.db');
  assert.equal(overrideSettings(settings, readEnvironment(folder.root)), settings);
  folder.remove();
});

test.run();
