import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Project } from '../project.ts';

/** Fields that are added to profiles are private, unless the command says otherwise. */
const test = suite('cli: private fields');
const project = new Project();
test.after(() => project.remove());

interface Written {
  readonly fields: readonly { readonly name: string; readonly private?: boolean }[];
}

const find = (schema: string, name: string): boolean | undefined =>
  (JSON.parse(project.read(`config/schema/${schema}.json`)) as Written).fields.find((field) => field.name === name)
    ?.private;

for (const [schema, args, expected] of [
  ['profile', ['phone:text'], true],
  ['profile', ['street'], true],
  ['profile', ['motto:text:public'], false],
  ['profile', ['city', '--no-private'], false],
  ['profile', ['nick:text:searchable'], undefined],
  ['profile', ['{"name":"hobby","type":"text","private":false}'], false],
  ['article', ['subtitle:text'], undefined],
  ['article', ['draft:text:private'], true],
  ['article', ['source', '--private'], true],
] as const)
  test(`field add ${schema} ${args.join(' ')}`, async () => {
    await project.cli('field', 'add', schema, ...args);
    const name = /\w+/.exec(args[0].replace('{"name":"', ''))?.[0] ?? '';
    assert.is(find(schema, name), expected);
  });

test('check advises on a profile field that does not say whether it is private', async () => {
  project.edit<{ fields: object[] }>('config/schema/profile.json', ({ fields }) => {
    fields.push({ name: 'shoe', type: 'text' });
  });
  const { out } = await project.cli('check');
  assert.match(out, /MODEL_PROFILE_OPEN/);
  assert.is(out.split('MODEL_PROFILE_OPEN').length, 2, out);
});

test('rest generate lists the columns that come along, without private ones', async () => {
  const { data } = await project.cli('rest', 'generate', 'comment', '--dry-run');
  const out = String(data.along);
  assert.match(out, /brings columns of its profile along: profile_name, /);
  assert.match(out, /profile_motto/);
  assert.not.match(out, /profile_phone/);
});

for (const [what, argv, read] of [
  ['types', ['types', '--out', 'rows.d.ts'], () => project.read('rows.d.ts')],
  ['client', ['client', '--out', 'client.ts'], () => project.read('client.ts')],
] as const)
  test(`treadle ${what}: a private column may be missing from a row, its own and by a relation`, async () => {
    const { data } = await project.cli(...argv);
    assert.ok(data);
    const text = read();
    assert.match(text, /profile_phone\?: string \| null/);
    assert.match(text, /article_draft\?: string \| null/);
    assert.match(text, /profile_motto: string \| null/);
    const rows = text.replace(/export interface \w+Stored {.*?\n}/gs, '');
    assert.not.match(rows, /\b(?:profile_phone|article_draft): string/);
  });

test('treadle docs: no answer is sure to have a private column, and no sample of a row has one', async () => {
  await project.cli('docs', '--out', 'docs');
  const { components, paths } = JSON.parse(project.read('docs/openapi.json'));
  const sure = JSON.stringify(components.schemas, (key, value) => (key === 'properties' ? undefined : value));
  for (const column of ['profile_phone', 'profile_street', 'article_draft']) assert.not.match(sure, column);
  const samples = JSON.stringify(
    Object.values(paths).flatMap((path) => Object.values(path as object).map(({ responses }) => responses)),
  );
  assert.not.match(samples, /profile_phone|profile_street|article_draft/);
  assert.match(samples, /profile_motto/);
});

test.run();
