import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeProject } from '../../src/cli/create/project.ts';
import { TEMPLATES, toUnitName } from '../../src/cli/create/template.ts';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { getProgram, Running } from './_process.ts';
import { Folders } from './run.ts';

/** The files that `treadle create` writes for production, and the examples of docs/guide/production.md. */
const deploy = suite('cli/deploy');
const folders = new Folders();
const guide = readFileSync(join(packageRoot, 'docs/guide/production.md'), 'utf8');
deploy.after(() => folders.remove());

const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
const hasProgram = (name: string, ...words: string[]): boolean =>
  spawnSync(name, words, { env: { ...process.env, PATH }, stdio: 'ignore' }).error === undefined;

/** A test that needs a program; reported as skipped if the program is missing. */
function withProgram(program: string, name: string, test: () => unknown, probe = '--version'): void {
  if (hasProgram(program, probe)) deploy(name, async () => void (await test()));
  else process.stdout.write(`skipped: cli/deploy: ${name} (needs ${program})\n`);
}

function runProgram(program: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(program, words, {
    encoding: 'utf8',
    env: { ...process.env, PATH, ...env },
  });
  return { status, said: `${stdout}${stderr}` };
}

/** The fenced code block of the guide in a language. */
const findBlock = (language: string): string => {
  const [, text] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide) ?? [];
  assert.ok(text, `the guide has a block of ${language}`);
  return text;
};

/** A project with units that use its own path instead of `/srv` and `/var/backups`. */
function makeDeployed(): { root: string; backups: string; units: string; unit(name: string): string } {
  const root = folders.makeProject();
  const [backups, units] = [folders.make(), folders.make()];
  for (const file of readdirSync(join(root, 'deploy'))) {
    const text = readFileSync(join(root, 'deploy', file), 'utf8');
    writeFileSync(join(units, file), text.replaceAll('/srv/my-blog', root).replaceAll('/var/backups/my-blog', backups));
  }
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  return { root, backups, units, unit: (name) => readFileSync(join(units, name), 'utf8') };
}

function writeBin(root: string, program: string): void {
  const bin = join(root, 'node_modules/.bin/treadle');
  writeFileSync(bin, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(bin, 0o755);
}

/** The words of a command in a unit: quotes, and `%%` for a percent sign. */
function readCommand(unit: string, key: string): string[] {
  const [, line = ''] = new RegExp(`^${key}=(.+)$`, 'm').exec(unit) ?? [];
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) =>
    (a ?? b ?? c ?? '').replaceAll('%%', '%'),
  );
}

for (const template of TEMPLATES)
  deploy(`${template}: every file has its name and no brace of ours`, () => {
    const root = join(folders.make(), '2048 Games!');
    const files = writeProject({ folder: root, template, random: (bytes) => Buffer.alloc(bytes, 7) });
    const own = files.filter((file) => /^(?:deploy\/|Dockerfile|\.dockerignore)/.test(file));
    assert.equal(own, [
      '.dockerignore',
      'Dockerfile',
      'deploy/site-2048-games-backup.service',
      'deploy/site-2048-games-backup.timer',
      'deploy/site-2048-games.service',
    ]);
    for (const file of own) assert.not.match(readFileSync(join(root, file), 'utf8'), '{{', file);
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    for (const secret of ['.env', 'var', '**/node_modules', '.git', '*.treadle'])
      assert.ok(ignored.includes(secret), secret);
  });

deploy('the name of a unit is one for a user and a folder, too', () => {
  const names = { 'my-blog': 'my-blog', '2048': 'site-2048', 'a.b_c': 'a-b-c', ___: 'my-site', root: 'my-site' };
  for (const [name, unit] of Object.entries(names)) assert.is(toUnitName(name), unit, name);
  assert.match(toUnitName('x'.repeat(200)), /^[a-z][a-z0-9-]{1,30}$/);
});

deploy('the Dockerfile parses, and what it serves is no root, has a health check and hears signals', () => {
  const text = readFileSync(join(folders.makeProject(), 'Dockerfile'), 'utf8');
  assert.equal(
    validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`),
    [],
  );
  const last = text.slice(text.lastIndexOf('\nFROM ')).replace(/\\\n/g, ' ');
  assert.match(last, /^USER (?!root\b|0\b)\S+$/m);
  assert.match(last, /^VOLUME \/app\/var$/m);
  const [, check = ''] = /^HEALTHCHECK .*?CMD (\[.+\])$/m.exec(last) ?? [];
  assert.match(JSON.parse(check)[2], '/health/live');
  const [, command = ''] = /^CMD (\[.+\])$/m.exec(last) ?? [];
  assert.equal(
    JSON.parse(command),
    ['node_modules/.bin/treadle', 'start'],
    'no shell between, which would keep SIGTERM',
  );
  assert.not.match(text, /:latest|^ADD |^ENV .*SECRET/m);
});

withProgram('systemd-analyze', 'systemd takes the units', () => {
  const { root, units } = makeDeployed();
  writeBin(root, 'none');
  for (const file of readdirSync(units)) {
    const { status, said } = runProgram('systemd-analyze', ['verify', '--man=no', join(units, file)]);
    assert.is(status, 0, said);
    assert.is(said.trim(), '', file);
  }
});

withProgram('systemd-analyze', 'the unit of the server exposes little', () => {
  const { units } = makeDeployed();
  const file = join(units, 'my-blog.service');
  const { status, said } = runProgram('systemd-analyze', ['security', '--offline=true', '--threshold=25', file]);
  if (/unrecognized option|Unknown/i.test(said)) return;
  assert.is(status, 0, said.split('\n').at(-2));
});

deploy('what the units run works: serves, ends on SIGTERM, backs up and keeps so many days', async () => {
  const { root, backups, unit } = makeDeployed();
  const program = getProgram();
  writeBin(root, program);
  const env = { PATH: process.env.PATH, HOME: root, NODE_ENV: 'production' };
  const run = ([name = '', ...words]: readonly string[]): string =>
    execFileSync(name, words, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  run([join(root, 'node_modules/.bin/treadle'), 'migrate']);
  const start = readCommand(unit('my-blog.service'), 'ExecStart');
  assert.is(start[0], join(root, 'node_modules/.bin/treadle'));
  const server = new Running(program, start.slice(1), { cwd: root, env: { PORT: '0' } });
  assert.is((await fetch(`${await server.url()}/health/ready`)).status, 200);
  const backup = unit('my-blog-backup.service');
  run(readCommand(backup, 'ExecStart'));
  const [made = ''] = readdirSync(backups);
  assert.match(made, /^\d{4}-\d\d-\d\d\.treadle$/);
  assert.is(statSync(join(backups, made)).mode & 0o077, 0);
  run(readCommand(backup, 'ExecStart'));
  const days = [1, 13, 16, 400];
  for (const day of days) {
    const file = join(backups, `${day}.treadle`);
    writeFileSync(file, '');
    utimesSync(file, new Date(), new Date(Date.now() - day * 86_400_000));
  }
  run(readCommand(backup, 'ExecStartPost'));
  assert.equal(readdirSync(backups).sort(), ['1.treadle', '13.treadle', made].sort());
  assert.equal(await server.kill('SIGTERM'), { code: 0, signal: null });
  run([join(root, 'node_modules/.bin/treadle'), 'restore', join(backups, made), '--dry-run']);
});

const makeCertificate = (folder: string): boolean =>
  runProgram('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=example.org'],
    ...['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')],
  ]).status === 0;

withProgram(
  'nginx',
  'nginx takes the configuration of the guide',
  () => {
    const folder = folders.make();
    if (!makeCertificate(folder)) {
      process.stdout.write('skipped: cli/deploy: nginx (needs openssl)\n');
      return;
    }
    const site = findBlock('nginx').replaceAll('/etc/letsencrypt/live/example.org', folder);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join('\n');
    const file = join(folder, 'nginx.conf');
    writeFileSync(
      file,
      `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${site}}\n`,
    );
    const { status, said } = runProgram('nginx', ['-t', '-q', '-p', folder, '-c', file]);
    assert.is(status, 0, said);
    assert.not.match(said, /\[(?:warn|error|emerg)\](?!.*"listen \.\.\. http2")/, said);
  },
  '-v',
);

withProgram(
  'caddy',
  'Caddy takes the configuration of the guide',
  () => {
    const folder = folders.make();
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, findBlock('caddyfile'));
    const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const { status, said } = runProgram('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], env);
    assert.is(status, 0, said);
  },
  'version',
);

deploy('figures, files and settings that the guide names exist', async () => {
  const source = (folder: string): string =>
    readdirSync(join(packageRoot, folder), { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(packageRoot, folder, file), 'utf8'))
      .join('\n');
  const code = source('src');
  const figures = [...new Set([...guide.matchAll(/`(treadle_[a-z_]+|http_[a-z_]+)`/g)].map(([, name = '']) => name))];
  assert.ok(figures.length >= 12);
  assert.equal(
    figures.filter((name) => !code.includes(name)),
    [],
  );
  const kept = [...code.matchAll(/^\s*(treadle_[a-z_]+): \{\s*help/gm)].map(([, name = '']) => name);
  assert.ok(kept.length >= 8);
  assert.equal(
    kept.filter((name) => !figures.includes(name)),
    [],
    'figures that the guide leaves out',
  );
  const settings = readFileSync(join(packageRoot, 'docs/reference/definitions.md'), 'utf8');
  for (const [, key = ''] of guide.matchAll(/`((?:server|limits)\.\w+)`/g)) assert.match(settings, `\`${key}\``, key);
  for (const [, path = ''] of guide.matchAll(/`(deploy\/[\w.-]+)`/g))
    assert.ok(existsSync(join(folders.makeProject(), path)), basename(path));
});

deploy.run();
