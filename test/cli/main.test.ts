import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageVersion } from '../../src/core/file/package-root.ts';
import { createAnswers, Folders, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/main');
test.after(() => folders.remove());

test('help is on standard output and done', async () => {
  const { code, out, err } = await run(['--help'], { cwd: folders.make() });
  assert.is(code, 0);
  assert.match(out, 'writes a new project');
  assert.is(err, '');
});

test('version', async () => {
  const { code, out } = await run(['--version'], { cwd: folders.make() });
  assert.is(code, 0);
  assert.is(out, `${packageVersion}\n`);
});

const WRONG: readonly [string[], RegExp][] = [
  [['shema', 'list'], /Did you mean schema/],
  [['schema', 'lst'], /Did you mean list[\s\S]*treadle schema --help/],
  [['schema'], /A command is missing/],
  [['schema', 'create'], /argument <name> is missing/],
  [['field', 'add', 'talk', 'level', 'select'], /as one word, such as title:text:required/],
  [['client'], /--out is missing: folder of the package, or one TypeScript file to write/],
  [['schema', 'create', 'x', 'y'], /too many arguments/i],
  [['schema', 'create', 'x', '--feild', 'a:text'], /Did you mean --field/],
  [['schema', 'create', 'x', '--field', 'a:txt'], /"txt" is not a field type[\s\S]*Did you mean "text"/],
  [['schema', 'create', 'x', '--field', 'a:text:requird'], /Did you mean "required"/],
  [['schema', 'create', 'x', '--relation', 'profile'], /is not schema=kind/],
  [['schema', 'show', 'artcle'], /There is no schema "artcle"[\s\S]*Did you mean "article"/],
  [['field', 'remove', 'article', 'titel'], /Did you mean "title"/],
  [['relation', 'add', 'article', '1:X', 'comment'], /not a kind of relation/],
  [['rest', 'create', 'x'], /--title is missing/],
  [['rest', 'create', 'x', '--title', 'X', '--access', 'publik'], /--method is missing/],
  [['rest', 'generate', 'article', '--access', 'publik'], /--access can't be "publik"[\s\S]*Did you mean "public"/],
  [['rest', 'generate', 'article', '--action', 'serch'], /Did you mean "search"/],
  [['completion', 'zhs'], /Did you mean "zsh"/],
  [['start', '--workers', '0'], /--workers can't be "0"/],
  [['dev', '--port', '70000'], /--port can't be "70000"/],
];

const project = folders.makeProject();
for (const [argv, message] of WRONG) {
  test(`wrong: treadle ${argv.join(' ')}`, async () => {
    const { code, out, err } = await run(argv, { cwd: project });
    assert.match(err, message);
    assert.is(out, '');
    assert.is(code, 64);
    const told = JSON.parse((await run([...argv, '--json'], { cwd: project })).out);
    assert.is(told.code, 'CLI_USAGE');
    assert.is(told.docs, 'docs/reference/errors.md');
    assert.ok(told.hint?.length > 5, JSON.stringify(told));
  });
}

test('a wrong use is one JSON document with --json', async () => {
  for (const argv of [
    ['rest', 'create', 'x', '--json'],
    ['shema', '--json'],
    ['schema', 'show', 'artcle', '--json'],
  ]) {
    const { code, out } = await run(argv, { cwd: project });
    const failure = JSON.parse(out);
    assert.is(failure.error, true);
    assert.is(failure.code, 'CLI_USAGE');
    assert.is(code, 64);
  }
});

test('outside a project the remedy is named', async () => {
  const { code, err } = await run(['schema', 'list'], { cwd: folders.make() });
  assert.is(code, 64);
  assert.match(err, 'treadle create my-app');
});

test('a project is found from a folder in it, and by --cwd', async () => {
  assert.is((await run(['schema', 'list'], { cwd: `${project}/app/www` })).code, 0);
  const { code, out } = await run(['--cwd', project, 'schema', 'list'], { cwd: folders.make() });
  assert.is(code, 0);
  assert.match(out, /^name +title .*\narticle +Articles/);
});

test('asks at a terminal, then shows the same by flags', async () => {
  const prompt = createAnswers(['Search profiles', 'public', 'get', '/public/p/search', 'system-model-search']);
  const argv = ['rest', 'create', 'public-p-search', '--dry-run'];
  const { code, err } = await run(argv, { cwd: project, isTTY: true, prompt });
  assert.is(code, 0);
  assert.is(prompt.asked.length, 5);
  assert.match(
    err,
    "treadle rest create public-p-search --title 'Search profiles' --access public --method get --path /public/p/search --event system-model-search",
  );
});

test('asks nothing without a terminal, in CI and with --no-interactive', async () => {
  const prompt = createAnswers([]);
  const argv = ['scope', 'create', 'x'];
  assert.is((await run(argv, { cwd: project, prompt })).code, 64);
  assert.is((await run(argv, { cwd: project, isTTY: true, env: { CI: '1' }, prompt })).code, 64);
  assert.is((await run([...argv, '--no-interactive'], { cwd: project, isTTY: true, prompt })).code, 64);
  assert.equal(prompt.asked, []);
});

test('fields are asked for until there are enough', async () => {
  const labels = ['Hat', 'Hats', ''];
  const fields = ['name', 'text', ['required', 'searchable'], false, 'size', 'number', [], false, ''];
  const prompt = createAnswers([...labels, ...fields, '']);
  const { out, err } = await run(['schema', 'create', 'hat', '--dry-run'], { cwd: project, isTTY: true, prompt });
  assert.match(err, 'treadle schema create hat --field name:text:required,searchable --field size:number');
  assert.match(out, '"name": "size"');
});

test('asks for the address and scopes of an app; asks nothing for an existing schema', async () => {
  await run(['api', 'populate'], { cwd: project });
  const prompt = createAnswers(['Reader', 'http://127.0.0.1:4000/back', ['profile_read']]);
  const { err, out } = await run(['app', 'create', 'reader', '--dry-run'], { cwd: project, isTTY: true, prompt });
  assert.match(
    err,
    'treadle app create reader --title Reader --redirect-uri http://127.0.0.1:4000/back --scope profile_read',
  );
  assert.match(out, /"clientId": "app_[\w-]{22}"/);
  const known = await run(['schema', 'create', 'article'], { cwd: project, isTTY: true, prompt: createAnswers([]) });
  assert.is(known.code, 1);
  assert.match(known.err, 'config/schema/article.json already exists');
});

test('NO_COLOR and output to a file have no colour', async () => {
  const argv = ['schema', 'show', 'artcle', '--no-interactive'];
  const at = async (isTTY: boolean, env: Record<string, string>) => (await run(argv, { cwd: project, isTTY, env })).err;
  const hasColour = (text: string): boolean => text.includes('\u001b[');
  assert.ok(hasColour(await at(true, {})));
  assert.not(hasColour(await at(true, { NO_COLOR: '1' })));
  assert.not(hasColour(await at(false, {})));
});

test('a refused confirmation removes nothing', async () => {
  const prompt = createAnswers([false]);
  const { code } = await run(['rest', 'remove', 'public-profile-search'], { cwd: project, isTTY: true, prompt });
  assert.is(code, 1);
  assert.is((await run(['rest', 'show', 'public-profile-search'], { cwd: project })).code, 0);
});

test.run();
