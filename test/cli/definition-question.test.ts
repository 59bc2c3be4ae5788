import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseField, toFieldText } from '../../src/cli/keys/field.ts';
import { parseRule, toRuleText } from '../../src/cli/keys/rule.ts';
import { findChoices } from '../../src/cli/prompt.ts';
import { guessType, listTypes } from '../../src/cli/question/field.ts';
import { parseRelation, toRelationText } from '../../src/cli/question/relation.ts';
import { listSuited } from '../../src/cli/question/rule.ts';
import { fieldKinds } from '../../src/model/field/field-kind.ts';
import { validators } from '../../src/model/field/validate.ts';
import { toReverseSentence } from '../../src/model/relation-sentence.ts';
import { FIELD_TYPES, type Field, type FieldType } from '../../src/model/shape.ts';
import { createAnswers, Folders, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/question');
test.after(() => folders.remove());

const read = (root: string, file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(root, file), 'utf8'));

/** The command that a run printed after its questions, as words. */
function readSame(err: string): string[] {
  const line = /The same without questions: treadle (.+)/.exec(err)?.[1] ?? '';
  const words = line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g);
  return [...words].map(([, quoted, plain]) => quoted?.replaceAll("'\\''", "'") ?? plain ?? '');
}

interface Walk {
  readonly argv: readonly string[];
  readonly answers: readonly unknown[];
  readonly file: string;
  readonly has: Readonly<Record<string, unknown>>;
}

const STAMPS = [
  { name: 'active', type: 'active' },
  { name: 'created', type: 'created', sortable: true },
  { name: 'updated', type: 'updated' },
];

const WALKS: Readonly<Record<string, Walk>> = {
  'a schema from its name to its relations': {
    argv: ['schema', 'create'],
    answers: [
      ...['task', 'Task', "Things to do, as one's own", 'What is to be done'],
      ...['title', 'text', ['required', 'searchable'], true, 'Heading', "Said of it: 'x'"],
      ...[['char_lte', 'regexp'], '80', 'Too long', '/^[A-Z]/', '', 'New'],
      ...['state', 'select', 'Open, Done now', ['filterable'], false],
      ...['cells', 'table', 'a, b', [], false],
      '',
      ...['profile', '1:1', 'cascade', 'task', '1:0', 'parent', 'clear', ''],
      true,
    ],
    file: 'config/schema/task.json',
    has: {
      name: 'task',
      singular: 'Task',
      plural: "Things to do, as one's own",
      description: 'What is to be done',
      fields: [
        {
          name: 'title',
          label: 'Heading',
          type: 'text',
          description: "Said of it: 'x'",
          default: 'New',
          required: true,
          searchable: true,
          validation: [
            { method: 'char_lte', parameters: 80, message: 'Too long' },
            { method: 'regexp', parameters: '/^[A-Z]/' },
          ],
        },
        {
          name: 'state',
          label: 'State',
          type: 'select',
          options: [
            { key: 'open', value: 'Open' },
            { key: 'done-now', value: 'Done now' },
          ],
          filterable: true,
        },
        { name: 'cells', label: 'Cells', type: 'table', columns: ['a', 'b'] },
        ...STAMPS,
      ],
      relations: [
        { schema: 'profile', kind: '1:1', onRemove: 'cascade' },
        { schema: 'task', kind: '1:0', name: 'parent' },
      ],
    },
  },
  'a fieldset, whose fields have no column': {
    argv: ['fieldset', 'create', 'address'],
    answers: ['zip', 'text', ['required'], false, '', true],
    file: 'config/fieldset/address.json',
    has: { fields: [{ name: 'zip', label: 'Zip', type: 'text', required: true }] },
  },
  'a field': {
    argv: ['field', 'add'],
    answers: ['comment', 'rating', 'stars', ['sortable'], true, 'Rating', '', ['gte'], '1', '', '5', true],
    file: 'config/schema/comment.json',
    has: {},
  },
  'a relation': {
    argv: ['relation', 'add'],
    answers: ['comment', 'comment', '1:N', 'replies', 'cascade', true],
    file: 'config/schema/comment.json',
    has: {
      relations: [
        { schema: 'profile', kind: '1:1' },
        { schema: 'comment', kind: '1:N', name: 'replies', onRemove: 'cascade' },
      ],
    },
  },
};

for (const [name, { argv, answers, file, has }] of Object.entries(WALKS)) {
  test(`${name}: asked to the end, then the same by flags`, async () => {
    const root = folders.makeProject();
    const prompt = createAnswers(answers);
    const { code, err } = await run(argv, { cwd: root, isTTY: true, prompt, env: { NO_COLOR: '1' } });
    assert.is(code, 0, err);
    assert.is(prompt.asked.length, answers.length);
    assert.match(err, /The next migration will do:\n {2}\S|The database needs no migration/);
    for (const [key, value] of Object.entries(has)) assert.equal(read(root, file)[key], value, key);
    const again = folders.makeProject();
    const same = await run(readSame(err), { cwd: again });
    assert.is(same.code, 0, same.err);
    assert.is(readFileSync(join(again, file), 'utf8'), readFileSync(join(root, file), 'utf8'));
  });
}

test('a web hook is asked for by what fires it; its name, title and type follow', async () => {
  const HOOK = ['webhook', 'create'];
  const root = folders.makeProject();
  const answers = [
    'comment.updated',
    'https://example.org/hook',
    'comment-updated',
    'Comment updated',
    'comment.updated',
  ];
  const prompt = createAnswers(answers);
  const { code, err } = await run(HOOK, { cwd: root, isTTY: true, prompt, env: { NO_COLOR: '1' } });
  assert.is(code, 0, err);
  assert.is(prompt.asked.length, answers.length);
  const made = read(root, 'config/webhook/comment-updated.json');
  assert.is(made.event, 'system-model-update');
  assert.equal(made.parameters, { schema: 'comment' });
  assert.is(made.url, 'https://example.org/hook');
  const again = folders.makeProject();
  const same = await run(readSame(err), { cwd: again });
  assert.is(same.code, 0, same.err);
  assert.equal(read(again, 'config/webhook/comment-updated.json'), made);
  // Values of flags are not asked for; another event is asked for by its name.
  const flags = ['--event', 'shop-order', '--title', 'Ordered', '--type', 'shop.ordered'];
  const given = await run([...HOOK, 'ordered', ...flags], { cwd: root, isTTY: true, prompt: createAnswers([]) });
  assert.is(given.code, 0, given.err);
  const other = createAnswers(['other', '', 'paid', 'Paid', 'shop-paid', 'shop.paid']);
  const own = await run(HOOK, { cwd: root, isTTY: true, prompt: other });
  assert.is(own.code, 0, own.err);
  assert.is(read(root, 'config/webhook/paid.json').event, 'shop-paid');
  assert.is(read(root, 'config/webhook/paid.json').url, undefined);
});

test('a relation to remove is chosen from those that the schema declares; a schema without any is named', async () => {
  const root = folders.makeProject();
  const prompt = createAnswers(['comment', '1:1', 'profile', true]);
  const { code, err } = await run(['relation', 'remove'], { cwd: root, isTTY: true, prompt, env: { NO_COLOR: '1' } });
  assert.is(code, 0, err);
  assert.is(prompt.asked.length, 4);
  assert.is(read(root, 'config/schema/comment.json').relations, undefined);
  const none = await run(['relation', 'remove', 'profile'], {
    cwd: root,
    isTTY: true,
    prompt: createAnswers([]),
    env: { NO_COLOR: '1' },
  });
  assert.is(none.code, 64);
  assert.match(none.err, /profile has no relations\.\s+Add one: treadle relation add profile/);
  const hook = await run(['scope', 'show'], {
    cwd: folders.makeProject('bare'),
    isTTY: true,
    prompt: createAnswers([]),
    env: { NO_COLOR: '1' },
  });
  assert.match(hook.err, /no definition of kind "scope"\.\s+Create one: treadle scope create/);
});

test('what was said of a migration comes true, and a no at the end writes nothing', async () => {
  const root = folders.makeProject();
  const answers = ['Hat', 'Hats', '', 'size', 'number', [], false, '', '', false];
  const { code, err } = await run(['schema', 'create', 'hat'], {
    cwd: root,
    isTTY: true,
    prompt: createAnswers(answers),
  });
  assert.is(code, 1);
  assert.match(err, /table hat/);
  assert.not.match(err, /table article/);
  assert.not(existsSync(join(root, 'config/schema/hat.json')));
});

test('with --yes nothing is confirmed; what is broken is told before the question', async () => {
  const root = folders.makeProject();
  const answers = ['Hat', 'Hats', '', 'size', 'number', [], false, '', ''];
  const done = await run(['schema', 'create', 'hat', '--yes'], {
    cwd: root,
    isTTY: true,
    prompt: createAnswers(answers),
  });
  assert.is(done.code, 0, done.err);
  const wrong = createAnswers(['article', 'comment', '1:N', 'title-x', 'clear']);
  assert.is((await run(['relation', 'add'], { cwd: root, isTTY: true, prompt: wrong })).code, 1);
  rmSync(join(root, 'config/schema/hat.json'));
});

test('every type is offered once, under a heading; what a schema has once is not offered again', () => {
  const all = listTypes({ fields: [], fieldsets: ['address'], isGroup: false });
  assert.equal(all.map(({ value }) => value).sort(), [...FIELD_TYPES].sort());
  assert.ok(all.every(({ group, name }) => group !== undefined && (name ?? '').length <= 78));
  const groups = all.map(({ group }) => group);
  assert.is(groups.filter((group, index) => group !== groups[index - 1]).length, new Set(groups).size);
  const second = listTypes({ fields: [{ name: 'active', type: 'active' }], fieldsets: [], isGroup: false });
  assert.not(second.some(({ value }) => value === 'active' || value === 'fieldset'));
  const group = listTypes({ fields: [], fieldsets: [], isGroup: true });
  assert.not(group.some(({ value }) => ['active', 'created', 'updated', 'ipaddress'].includes(value)));
});

test('a typed word narrows the list: names first, then what is said', () => {
  const all = listTypes({ fields: [], fieldsets: [], isGroup: false });
  assert.is(findChoices(all, 'ema')[0]?.value, 'email');
  assert.is(findChoices(all, 'date')[0]?.value, 'date');
  assert.ok(findChoices(all, 'money').some(({ value }) => value === 'price'));
  assert.equal(findChoices(all, 'zzz'), []);
});

const GUESSES: readonly (readonly [string, FieldType])[] = [
  ['title', 'text'],
  ['email', 'email'],
  ['birthday', 'date'],
  ['published_at', 'datetime'],
  ['price', 'decimal'],
  ['is_open', 'switch'],
  ['cover', 'image'],
  ['detail', 'textarea'],
  ['status', 'select'],
];
for (const [name, type] of GUESSES) test(`${name} is most likely ${type}`, () => assert.is(guessType(name), type));

test('only rules that suit a type are offered, and each is one', () => {
  for (const type of FIELD_TYPES) {
    const suited = listSuited({ name: 'a', type }, [{ name: 'b', type }]);
    for (const method of suited) assert.ok(method in validators, method);
    if (fieldKinds[type].isSystem || fieldKinds[type].sql === undefined) assert.equal(suited, []);
    assert.not(suited.includes('required') || suited.includes('unique'));
  }
  assert.ok(listSuited({ name: 'a', type: 'date' }, [{ name: 'b', type: 'date' }]).includes('column_gt'));
  assert.not(listSuited({ name: 'a', type: 'date' }, []).includes('column_gt'));
});

const RULES: readonly (readonly [string, object])[] = [
  ['required', { method: 'required' }],
  ['required:Say it: please', { method: 'required', message: 'Say it: please' }],
  ['required::Say it', { method: 'required', message: 'Say it' }],
  ['char_lte:80', { method: 'char_lte', parameters: 80 }],
  ['char_lte:80:At most: 80', { method: 'char_lte', parameters: 80, message: 'At most: 80' }],
  ['one:a,b:One', { method: 'one', parameters: ['a', 'b'], message: 'One' }],
  ['regexp:^a:b$', { method: 'regexp', parameters: '^a:b$' }],
  ['regexp:/^a:b$/i:No', { method: 'regexp', parameters: '/^a:b$/i', message: 'No' }],
  ['column_gt:from:Later', { method: 'column_gt', parameters: 'from', message: 'Later' }],
  ['{"method":"one","parameters":["a,b"]}', { method: 'one', parameters: ['a,b'] }],
];
for (const [text, rule] of RULES) {
  test(`rule ${text}`, () => {
    assert.equal(parseRule(text), rule);
    assert.equal(parseRule(toRuleText(parseRule(text))), rule);
  });
}

const FIELDS: readonly (readonly [Field, string])[] = [
  [{ name: 'a', label: 'A', type: 'text' }, 'a:text'],
  [{ name: 'a', label: 'A', type: 'text', required: true, sortable: true }, 'a:text:required,sortable'],
  [{ name: 'on', type: 'active' }, 'on:active'],
  [{ name: 'a', label: 'B', type: 'text' }, '{"name":"a","label":"B","type":"text"}'],
  [{ name: 'a', label: 'A', type: 'text', default: 'x' }, '{"name":"a","type":"text","default":"x"}'],
];
for (const [field, text] of FIELDS) {
  test(`field ${text}`, () => {
    assert.is(toFieldText(field), text);
    assert.equal(parseField(text), field);
  });
}

for (const text of ['profile=1:1', 'profile=1:0,editor', 'profile=N:N,,restrict', 'a=1:N,b,cascade']) {
  test(`relation ${text}`, () => assert.is(toRelationText(parseRelation(text)), text));
}

test('how relations read from the other end', () => {
  assert.is(
    toReverseSentence('Article', 'Comment', { schema: 'comment', kind: '1:N' }),
    'a comment belongs to at most one article',
  );
  assert.is(
    toReverseSentence('Comment', 'Profile', { schema: 'profile', kind: '1:1' }),
    'a profile may have many comments',
  );
  assert.is(
    toReverseSentence('Article', 'Tag', { schema: 'tag', kind: 'N:N', name: 'topic' }),
    'a tag has many articles, as topic',
  );
});

test.run();
