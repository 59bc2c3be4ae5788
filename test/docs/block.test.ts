// Every code block of README.md and the guides is run, type-checked, parsed or compiled, by its language.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { transform } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Application, compileProject, createApp } from '../../src/boot.ts';
import { printTypes, TYPES_FILE } from '../../src/cli/types/file.ts';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { Field, type FileKind, Hook, SHAPES } from '../../src/model/shape.ts';
import { readEnvironment } from '../../src/project/environment.ts';
import { type Block, findPath, readBlocks } from './_block.ts';
import { toWords } from './_words.ts';
import { runIn, World } from './_world.ts';

const pages = ['README.md', ...readdirSync(join(packageRoot, 'docs/guide')).map((file) => `docs/guide/${file}`)].sort();
const all = pages.flatMap(readBlocks);
/** Suites of their own run them whole. */
const TUTORIALS = ['docs/guide/first-api.md', 'docs/guide/ticket-shop.md'];
const isTold = ({ info }: Block): boolean => info.startsWith('not run: ') || info.startsWith('needs ');
const blocks = all.filter((block) => !TUTORIALS.includes(block.page) && !isTold(block));
const of = (...languages: readonly string[]): Block[] => blocks.filter(({ language }) => languages.includes(language));
const at = ({ page, line }: Block): string => `${page}:${line}`;

/** What is done with the blocks of a language. `shown` ones are output or configuration of other programs. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'run',
  ts: 'type-checked; whole files are loaded too',
  json: 'parsed by the shape of their kind',
  html: 'compiled',
  hbs: 'compiled',
  handlebars: 'compiled',
  css: 'parsed',
  env: 'read',
  http: 'parsed',
  text: 'shown',
  cron: 'shown',
  sql: 'shown: PostgreSQL',
  yaml: 'shown: Prometheus',
  nginx: 'shown; torture/nginx.mjs runs it',
  caddyfile: 'shown',
  python: 'parsed where there is a python3; e2e/client-python runs the same calls',
  js: 'left out, each with its reason',
};

const test = suite('docs/block');
const world = new World();
/** Below node_modules, so that the imported packages are found. */
const typed = mkdtempSync(join(packageRoot, 'node_modules/.treadle-blocks-'));
test.before(() => world.prepare());
test.after(async () => {
  rmSync(typed, { recursive: true, force: true });
  await world.remove();
});

test('every block has a language with a check, or a reason', () => {
  const odd = all
    .filter((block) => !Object.hasOwn(LANGUAGES, block.language))
    .map((block) => `${at(block)}: ${block.language}`);
  assert.equal(odd, [], `a block needs a fence with one of: ${Object.keys(LANGUAGES).join(', ')}`);
  const counts = new Map<string, number>();
  const count = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const block of all) {
    if (isTold(block)) count(block.info);
    else if (TUTORIALS.includes(block.page)) count('run by the suites of the tutorials');
    else count(`${block.language}: ${LANGUAGES[block.language]}`);
  }
  process.stdout.write(
    `\n${[...counts]
      .map(([key, number]) => `${number} ${key}`)
      .sort()
      .join('\n')}\n`,
  );
  assert.ok(all.length > 150);
});

for (const block of of('python')) {
  const hasPython = spawnSync('python3', ['--version']).status === 0;
  const parse = (): void => {
    execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: block.text });
  };
  if (hasPython) test(`${at(block)} is Python`, parse);
  else test.skip(`${at(block)} is Python (there is no python3)`, parse);
}

// Commands

/** Lines that no project here can run, with the reason. Their words are checked by docs/text. */
const LEFT_OUT: readonly (readonly [RegExp, string])[] = [
  [/^(?:npx )?treadle (?:start|dev|webhook listen)\b/, 'runs until it is stopped'],
  [/postgres:\/\//, 'needs a PostgreSQL server'],
  [/^treadle restore /, 'needs an empty database'],
  [/…| 42$/, 'has a placeholder'],
  [/^(?:npx )?treadle webhook test /, 'needs a receiver'],
  [/^npx treadle webhook (?:enable|disable) .*--app reader/, 'needs an app that receives the hook'],
  [/^treadle user second-factor remove /, 'needs a person with a second factor'],
];

const late = async (): Promise<{ code: number; said: string }> => {
  await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
  return { code: -1, said: 'did not end within a minute' };
};

/** Runs a line in a shell. */
async function runShell(text: string, root: string, env: NodeJS.ProcessEnv): Promise<{ code: number; said: string }> {
  const child = spawn('sh', ['-e', '-c', text], { cwd: root, env: { PATH: process.env.PATH, ...env } });
  const state = { said: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      state.said += chunk;
    });
  const code = await new Promise<number>((done) => child.on('close', (ended) => done(ended ?? -1)));
  return { code, said: state.said };
}

interface Server {
  readonly url: string;
  readonly token: string;
}

async function runLine(
  line: string,
  root: string,
  server: Server | undefined,
): Promise<{ code: number; said: string }> {
  if (line.startsWith('curl ')) {
    const text = line.replaceAll('http://127.0.0.1:3000', server?.url ?? '');
    return runShell(`${text.replace('curl ', "curl -s -S -o /dev/null -w '%{http_code}' ")} | grep -v 5..`, root, {
      TOKEN: server?.token,
    });
  }
  if (/^gunzip -c (\S+)\.gz \| /.test(line)) return runIn(root, toWords('import article posts.csv --format csv'));
  const words = toWords(line).filter((word, index) => index > 0 || word !== 'npx');
  if (words[0] !== 'treadle') return { code: -1, said: 'is no command of Treadle and no curl' };
  return Promise.race([runIn(root, words.slice(1)), late()]);
}

/** A server of the page's project, and a token of Ann, for the requests of a page. */
async function serve(root: string): Promise<Server & { readonly app: Application }> {
  const app = await createApp({ root, mode: 'test', env: {} });
  const url = await app.listen({ port: 0 });
  const argv = ['app', 'try', 'reader', '--as', 'ann@example.org', '--url', url, '--json'];
  const tried = await runIn(root, argv);
  const token = /"accessToken": ?"([^"]+)"/.exec(tried.said)?.[1] ?? '';
  return { app, url, token };
}

const toLines = (text: string): string[] => {
  const joined = text.replace(/\\\n\s*/g, ' ').replace(/'[^']*'/g, (quoted) => quoted.replace(/\n\s*/g, ' '));
  return joined.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
};

test('the commands run', async () => {
  const faults: string[] = [];
  const left = new Map<string, number>();
  for (const page of pages) {
    const shown = of('sh').filter((block) => block.page === page);
    if (shown.length === 0) continue;
    const root = await world.copyFor(page);
    const server = shown.some(({ text }) => text.includes('curl ')) ? await serve(root) : undefined;
    for (const block of shown) {
      for (const line of toLines(block.text)) {
        const reason = LEFT_OUT.find(([pattern]) => pattern.test(line.replace(/\s+#.*$/, '')))?.[1];
        if (reason !== undefined) left.set(reason, (left.get(reason) ?? 0) + 1);
        else {
          const { code, said } = await runLine(line, root, server);
          if (code !== 0) faults.push(`${at(block)}: ${line}\n  ended with ${code}: ${said.trim().slice(0, 400)}`);
        }
      }
    }
    await server?.app.close();
  }
  process.stdout.write(`\n${[...left].map(([reason, count]) => `${count} lines not run: ${reason}`).join('\n')}\n`);
  assert.is(faults.join('\n'), '');
});

// Code

/** Names that snippets use and do not define. */
const NAMES = `
declare const body: string, token: string, handler: import('treadle').Listener, talk_id: number;
type TicketRow = import('../../../treadle').TicketRow;
declare function spam(text: unknown): boolean;
`;

/** Code for an open client, and of a project's own file of another kind. */
const HEAD = /^import .*$/gm;

function toModule({ text, page }: Block): string {
  const imports = (text.match(HEAD) ?? []).join('\n');
  const rest = text.replace(HEAD, '');
  const given = page.endsWith('testing.md')
    ? "import assert from 'node:assert/strict';\nimport { startTestSite } from 'treadle/test';\ntype Site = Awaited<ReturnType<typeof startTestSite>>;\n"
    : '';
  const site = given === '' || /const site =/.test(rest) ? '' : ', site: Site';
  const ada = given === '' || /const ada =/.test(rest) ? '' : ", ada: Awaited<ReturnType<Site['person']>>";
  return `import type * as T from 'treadle';\nimport type { ResultsOf } from 'treadle';\n${given}${imports}\n${NAMES}export async function snippet(${given === '' ? 'app: T.App, ' : ''}request: T.Request, response: T.Response${site}${ada}) {\n${rest}\n}\n`;
}

const isWhole = (block: Block): boolean => findPath(block) !== undefined;
/** A whole file, with the import of `App` that readers add by their editor. */
const toWhole = ({ text }: Block): string =>
  /\bApp\b/.test(text) && !/import .*\bApp\b/.test(text) ? `${text}\nimport type { App } from 'treadle';\n` : text;

/** Writes every `ts` block into a project, each in a file of its own; returns the blocks by file. */
function writeModules(root: string): Map<string, Block> {
  const files = new Map<string, Block>();
  for (const [index, block] of of('ts').entries()) {
    const path = findPath(block);
    const file = path?.startsWith('app/')
      ? `${path.replace(/\.ts$/, '')}-${index}.ts`
      : `app/www/src/controller/snippet-${index}.ts`;
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), path === undefined ? toModule(block) : toWhole(block));
    files.set(file, block);
  }
  return files;
}

test('the code fits the types of the project', async () => {
  const root = join(typed, 'my-app');
  const copy = world.copy();
  const { plan } = await compileProject(copy, {});
  assert.ok(plan);
  const files = writeModules(root);
  writeFileSync(join(root, TYPES_FILE), printTypes(plan.model, plan.events));
  const { said } = await runIn(copy, ['client', '--out', 'api.ts']);
  assert.ok(said);
  symlinkSync(join(copy, 'api.ts'), join(root, 'app/www/src/controller/api.ts'));
  const source = (file: string): string[] => [join(packageRoot, file)];
  const options = {
    target: 'es2023',
    lib: ['es2023', 'dom', 'esnext.disposable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    preserveSymlinks: true,
    types: ['node'],
    typeRoots: source('node_modules/@types'),
    paths: { treadle: source('src/index.ts'), 'treadle/test': source('src/testing/site.ts') },
  };
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['app'] }));
  const compiler = join(packageRoot, 'node_modules/typescript/bin/tsc');
  const printed = ((): string => {
    try {
      execFileSync(process.execPath, [compiler, '-p', '.', '--singleThreaded', '--pretty', 'false'], { cwd: root });
      return '';
    } catch (error) {
      return String((error as { stdout?: unknown }).stdout);
    }
  })();
  const faults = printed.split('\n').flatMap((line) => {
    const [, file = '', rest = ''] = /^(app\/[^(]+)(\(.*)$/.exec(line) ?? [];
    const block = files.get(file);
    return block ? [`${at(block)} ${rest}`] : line.startsWith('app/') || line.startsWith('error') ? [line] : [];
  });
  assert.is(faults.join('\n'), '');
});

test('whole files load in a project, and templates compile in it', async () => {
  const root = world.copy();
  const names: string[] = [];
  for (const [index, block] of of('ts').filter(isWhole).entries()) {
    const path = findPath(block) ?? '';
    if (!path.startsWith('app/www/src/controller/')) continue;
    const file = path.replace(/[^/]+\.ts$/, `block-${index}`);
    writeFileSync(join(root, `${file}.ts`), toWhole(block));
    names.push(file.replace('app/www/', './'));
  }
  assert.ok(names.length > 3);
  const imports = names.map((name, index) => `import block${index} from '${name}';`);
  const list = names.map((_, index) => `block${index}`).join(', ');
  writeFileSync(
    join(root, 'app/www/.treadle.ts'),
    `${imports.join('\n')}\nimport template from './src/bootstrap/template';\nexport default [template, ${list}];\n`,
  );
  symlinkSync(join(packageRoot, 'node_modules'), join(root, 'node_modules'));
  const templates = of('html', 'hbs', 'handlebars');
  for (const [index, block] of templates.entries()) {
    const file = findPath(block)?.endsWith('.txt') ? `mail/block-${index}.txt` : `block-${index}.html`;
    mkdirSync(join(root, 'app/www/src/template/mail'), { recursive: true });
    writeFileSync(join(root, 'app/www/src/template', file), block.text);
  }
  const { problems } = await compileProject(root, {});
  // The guides' templates share one project, which has no columns of those that a guide adds.
  const isOurs = ({ file, code }: { file: string; code: string }): boolean =>
    /block-\d+/.test(file) && code !== 'VIEW_COLUMN_UNKNOWN';
  const faults = problems.filter(
    (problem) => problem.severity === undefined || (problem.severity !== 'advice' && isOurs(problem)),
  );
  assert.equal(
    faults.map(({ file, line, message }) => `${file}:${line} ${message}`),
    [],
  );
});

// Data

/** The value of a definition without what its file may leave out, from a whole one and a part. */
function findJsonFault(block: Block, value: unknown): string | undefined {
  const { info } = block;
  const part = /^part of config\/(\w+)/.exec(info)?.[1] as FileKind | undefined;
  const whole = /^config\/(\w+)(?:\/[\w-]+)?\.json$/.exec(info)?.[1] as FileKind | undefined;
  if (info === 'an answer' || whole === ('locale' as string))
    return typeof value === 'object' ? undefined : 'is no object';
  if (/^config\/locale\//.test(info))
    return Object.values(value as object).every((text) => typeof text === 'string')
      ? undefined
      : 'has values other than texts';
  const read = (): { success: boolean; error?: { message: string } } | undefined => {
    if (info === 'a field') return Field.safeParse(value);
    if (info === 'a filter') return Hook.shape.filter.safeParse(value);
    if (part !== undefined && Object.hasOwn(SHAPES, part)) return SHAPES[part].partial().safeParse(value);
    const kind = whole ?? (/^config\/(\w+)\//.exec(info)?.[1] as FileKind | undefined);
    return kind !== undefined && Object.hasOwn(SHAPES, kind) ? SHAPES[kind].safeParse(value) : undefined;
  };
  const result = read();
  if (result === undefined)
    return `"${info}" is no kind of JSON: name its file, "part of …", "a field", "a filter" or "an answer"`;
  return result.success ? undefined : result.error?.message;
}

test('the JSON has the shape of its kind', () => {
  const faults = of('json').flatMap((block) => {
    try {
      const fault = findJsonFault(block, JSON.parse(block.text));
      return fault === undefined ? [] : [`${at(block)}: ${fault}`];
    } catch (error) {
      return [`${at(block)}: ${String(error)}`];
    }
  });
  assert.is(faults.join('\n'), '');
});

test('the rest is well-formed: styles, variables, requests', async () => {
  for (const block of of('css')) assert.equal((await transform(block.text, { loader: 'css' })).warnings, [], at(block));
  for (const block of of('env')) {
    const root = join(typed, 'env');
    mkdirSync(root, { recursive: true });
    writeFileSync(join(root, '.env'), block.text);
    assert.equal(readEnvironment(root, {}).problems, [], at(block));
  }
  for (const block of of('http')) {
    // `…` stands for what is left out.
    const [start = '', ...lines] = block.text.split('\n').filter((line) => line !== '…');
    const end = lines.findIndex((line) => !/^[\w-]+: /.test(line));
    assert.match(start, /^(?:[A-Z]+ \/\S* HTTP\/1\.1|HTTP\/1\.1 \d{3})/, at(block));
    assert.ok(end > 0, at(block));
    JSON.parse(lines.slice(end).join('').replace(/,…/g, ''));
  }
});

test.run();
