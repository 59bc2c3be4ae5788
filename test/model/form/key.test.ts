import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as z from 'zod';
import { getFieldForm, getRelationForm } from '../../../src/model/form/field.ts';
import { FORMS } from '../../../src/model/form/forms.ts';
import { fillForm, findValueKind, listFormKeys, toKeyLabel } from '../../../src/model/form/key.ts';
import { Field, Relation, SHAPES } from '../../../src/model/shape.ts';

const test = suite('model/form/key');

const Shape = z.strictObject({
  $schema: z.string().optional(),
  id: z.string(),
  maxAge: z.number().min(2).optional().describe('Seconds.'),
  mood: z.enum(['calm', 'loud']).default('calm'),
  tags: z.array(z.enum(['a', 'b'])).optional(),
});

test('a key that the form does not name stands at the end of its last group, with all that its shape says', () => {
  const form = fillForm(Shape, { elsewhere: ['id'], groups: [{ title: 'One', keys: { tags: { label: 'Words' } } }] });
  const [{ title, isFolded, keys } = { title: '', isFolded: true, keys: [] }] = form;
  assert.equal([form.length, title, isFolded], [1, 'One', false]);
  assert.equal(
    keys.map(({ shape: _, ...key }) => key),
    [
      { key: 'tags', label: 'Words', description: '', kind: 'list', isKept: false, choices: ['a', 'b'] },
      { key: 'maxAge', label: 'Max age', description: 'Seconds.', kind: 'number', isKept: false, least: 2 },
      { key: 'mood', label: 'Mood', description: '', kind: 'choice', isKept: true, choices: ['calm', 'loud'] },
    ],
  );
  assert.equal(
    listFormKeys(Shape, form).map(({ key }) => key),
    ['maxAge', 'mood', 'tags'],
  );
});

const KINDS: readonly (readonly [z.ZodType, string])[] = [
  [z.string().regex(/a/).optional(), 'text'],
  [z.iso.date(), 'day'],
  [z.int().min(1), 'number'],
  [z.boolean().default(true), 'switch'],
  [z.literal('server').optional(), 'literal'],
  [z.enum(['a']), 'choice'],
  [z.array(z.string()).min(1), 'list'],
  [z.array(z.strictObject({ a: z.string() })), 'parts'],
  [z.strictObject({ a: z.string() }), 'part'],
  [z.record(z.string(), z.unknown()), 'map'],
  [z.unknown().optional(), 'json'],
  [z.union([z.string(), z.array(z.string())]), 'json'],
];
for (const [shape, kind] of KINDS) test(`a value is entered as ${kind}`, () => assert.is(findValueKind(shape), kind));

test('a label is made of a key', () => {
  const made = ['readSeconds', 'url', 'baseUrl', 'oauth'].map(toKeyLabel);
  assert.equal(made, ['Read seconds', 'URL', 'Base URL', 'OAuth']);
});

/** Keys that are no part of a form, because a verb or a page of their own sets them, or an argument names them. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  schema: ['name', 'was', 'fields', 'relations'],
  fieldset: ['name', 'fields'],
  scope: ['slug'],
  app: ['clientId', 'secretHash'],
  role: ['slug', 'data'],
  field: ['name'],
  relation: ['schema', 'was'],
};
const ALL = [
  ...Object.entries(FORMS).map(([kind, form]) => [kind, SHAPES[kind as keyof typeof FORMS], form()] as const),
  ['field', Field, getFieldForm()] as const,
  ['relation', Relation, getRelationForm()] as const,
];
for (const [kind, shape, form] of ALL) {
  test(`every key of the kind ${kind} is in its form once`, () => {
    const expected = Object.keys(shape.shape).filter((key) => ![...(ELSEWHERE[kind] ?? []), '$schema'].includes(key));
    assert.equal(
      listFormKeys(shape, form).map(({ key }) => key),
      expected,
    );
  });
}

test.run();
