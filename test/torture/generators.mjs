// Eight generators that nobody here wrote make a client each from the served openapi.json. Each client compiles under strict
// TypeScript, and its ten steps (generator/_steps.ts) run against the server; neither document nor server is adapted to a tool.
// The tools are installed from the npm registry into node_modules/.cache; without it the storm says so and fails.
// Usage: node --import tsx test/torture/generators.mjs [--short] [--only name] [--keep]
// `--short` takes one tool. `--keep` leaves the generated code in node_modules/.cache/treadle-generators.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const { authorize, startApi } = await import('../feature/docs/_api.ts');

const words = process.argv.slice(2);
const isShort = words.includes('--short');
const only = words.includes('--only') ? words[words.indexOf('--only') + 1] : undefined;
const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules/.cache/treadle-generators');
const drivers = join(root, 'test/torture/generator');

const NODE_22 = `node-${process.platform}-${process.arch}`;

/**
 * Each tool: the packages that it needs, how it is run in a folder with `openapi.json`, and its driver. What it makes is `api.ts` or
 * `api/index.ts`. `node`: it needs a newer Node to generate; what it makes runs on this one.
 */
const TOOLS = {
  'openapi-typescript 7.13 + openapi-fetch 0.17': {
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17'],
    command: ['openapi-typescript', 'openapi.json', '-o', 'api.ts'],
    driver: 'openapi-fetch',
  },
  '@hey-api/openapi-ts 0.95': {
    packages: ['@hey-api/openapi-ts@0.95'],
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'api', '-c', '@hey-api/client-fetch'],
    driver: 'hey-api',
  },
  'orval 7.21': { packages: ['orval@7.21.0'], command: ['orval', '--config', 'orval.config.cjs'], driver: 'orval' },
  'orval 8.38': {
    packages: ['orval@8.38.0', `${NODE_22}@22`],
    command: ['orval', '--config', 'orval.config.cjs'],
    driver: 'orval',
    node: NODE_22,
  },
  'oazapfts 7.5': {
    packages: ['oazapfts@7.5', '@oazapfts/runtime@1'],
    command: ['oazapfts', 'openapi.json', 'api.ts'],
    driver: 'oazapfts',
  },
  'swagger-typescript-api 13.13': {
    packages: ['swagger-typescript-api@13.13'],
    command: ['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', '.', '-n', 'api.ts'],
    driver: 'swagger-typescript-api',
  },
  'kubb 4 with axios': {
    packages: ['core', 'cli', 'plugin-oas', 'plugin-ts', 'plugin-client']
      .map((name) => `@kubb/${name}@4`)
      .concat('axios@1'),
    command: ['kubb', 'generate', '--config', 'kubb.config.ts'],
    driver: 'kubb',
  },
  'openapi-client-axios 7.9': {
    packages: ['openapi-client-axios@7.9', 'axios@1'],
    command: undefined,
    driver: 'openapi-client-axios',
  },
};

const FILES = {
  'orval.config.cjs': (url) =>
    `module.exports = { api: { input: './openapi.json', output: { mode: 'single', target: './api.ts', client: 'fetch', baseUrl: '${url}' } } };\n`,
  'kubb.config.ts': () => `import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
export default defineConfig({
  root: '.',
  input: { path: './openapi.json' },
  output: { path: './api' },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient()],
});
`,
  'tsconfig.json': () =>
    JSON.stringify({
      compilerOptions: {
        strict: true,
        target: 'ES2022',
        module: 'ESNext',
        moduleResolution: 'bundler',
        lib: ['ES2022', 'DOM', 'DOM.Iterable'],
        types: ['node'],
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
      },
      include: ['*.ts', 'api/**/*.ts'],
      exclude: ['kubb.config.ts'],
    }),
};

/** Runs a program; gives its exit code and what it said. */
function run(command, argv, cwd) {
  const child = spawn(command, argv, { cwd, env: { ...process.env, CI: 'true', NO_COLOR: '1' } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  return new Promise((done) => child.on('close', (code) => done({ code, said })));
}

const toFolder = (name) => join(cache, name.replaceAll(/[^a-z0-9.]+/gi, '-'));

/** Installs a tool into a folder of its own, unless it is there. */
async function install(folder, packages) {
  mkdirSync(folder, { recursive: true });
  const wanted = ['typescript@5.9', '@types/node@20', ...packages];
  const mark = join(folder, 'node_modules', `.treadle-${wanted.join('+').replaceAll('/', '_')}`);
  if (existsSync(mark)) return;
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  const { code, said } = await run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...wanted],
    folder,
  );
  if (code !== 0) throw new Error(`npm install: ${said.slice(-400)}`);
  writeFileSync(mark, '');
}

/** Generates, compiles and drives a client. Gives the faults by step. */
async function tryTool(name, { packages, command, driver, node }, api, token) {
  const folder = toFolder(name);
  await install(folder, packages);
  for (const made of ['api', 'api.ts']) rmSync(join(folder, made), { recursive: true, force: true });
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(api.document));
  for (const [file, write] of Object.entries(FILES)) writeFileSync(join(folder, file), write(api.url));
  if (command) {
    const program = join(folder, 'node_modules/.bin', command[0]);
    const runner = node === undefined ? process.execPath : join(folder, 'node_modules', node, 'bin/node');
    const { code, said } = await run(runner, [program, ...command.slice(1)], folder);
    if (code !== 0) return { generate: said.slice(-600) };
  }
  cpSync(join(drivers, '_steps.ts'), join(folder, '_steps.ts'));
  cpSync(join(drivers, `${driver}.ts`), join(folder, 'driver.ts'));
  const compiled = await run(process.execPath, [join(folder, 'node_modules/typescript/bin/tsc'), '-p', '.'], folder);
  const faults = compiled.code === 0 ? {} : { tsc: compiled.said.slice(0, 600) };
  const outfile = join(folder, 'driver.mjs');
  const options = { bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'silent' };
  await build({ ...options, absWorkingDir: folder, entryPoints: ['driver.ts'], outfile });
  const driven = await run(process.execPath, [outfile, api.url, token, join(folder, 'openapi.json')], folder);
  const line = driven.said.trim().split('\n').at(-1) ?? '';
  try {
    return { ...faults, ...JSON.parse(line) };
  } catch {
    return { ...faults, run: driven.said.slice(-600) };
  }
}

/** Rows that the steps find; each tool gets a fresh account, so that none sees what another made. */
async function prepare(api, index) {
  const user = api.site.browser();
  await user.signUp(`Tool ${index}`, `tool-${index}@example.org`);
  const token = await authorize({ ...api, user }, 'profile_read thing');
  const bearer = { authorization: `Bearer ${token}` };
  const ids = [];
  for (const number of [10, 20, 30, 40, 50]) {
    const json = { thing_name: `Thing ${number}`, thing_number: number };
    const made = await api.site.send('POST', '/rest/user/thing/create', { json, headers: bearer });
    if (made.status !== 201) throw new Error(made.text);
    ids.push(made.json().results.thing_id);
  }
  const label = await api.site.send('POST', '/rest/public/label/create', { json: { label_title: 'Green' } });
  const path = `/rest/user/thing/link/${ids[0]}/label/${label.json().results.label_id}`;
  const linked = await api.site.send('PUT', path, { headers: bearer });
  if (linked.status !== 200) throw new Error(linked.text);
  return token;
}

const api = await startApi({ limits: { perMinute: 1_000_000 } });
const chosen = Object.entries(TOOLS).filter(([name]) => only === undefined || name.includes(only));
let failed = 0;
for (const [index, [name, tool]] of (isShort ? chosen.slice(0, 1) : chosen).entries()) {
  const token = await prepare(api, index);
  const faults = await tryTool(name, tool, api, token).catch((error) => ({ storm: String(error) }));
  const names = Object.keys(faults);
  if (names.length > 0) failed += 1;
  console.log(`  ${name}: ${names.length === 0 ? 'ten of ten' : `fails ${names.join(', ')}`}`);
  for (const [step, fault] of Object.entries(faults)) console.log(`    ${step}: ${fault}`);
}
await api.close();
if (!words.includes('--keep') && failed === 0)
  for (const name of Object.keys(TOOLS)) rmSync(join(toFolder(name), 'api'), { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
