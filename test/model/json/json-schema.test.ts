import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printChanged, printDefinition, toJsonSchema } from '../../../src/model/json/json-schema.ts';
import { type FileKind, SHAPES } from '../../../src/model/shape.ts';

const test = suite('model/json/json-schema');

type Node = Readonly<Record<string, unknown>>;

for (const kind of Object.keys(SHAPES) as FileKind[]) {
  test(`the JSON Schema of ${kind}`, () => {
    const schema = toJsonSchema(kind);
    assert.is(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
    assert.is(schema.type, 'object');
    assert.is(schema.additionalProperties, false);
    assert.match(String(schema.title), /^Treadle /);
    for (const [key, value] of Object.entries(schema.properties as Record<string, Node>))
      assert.type(value.description, 'string', key);
  });
}

test('settings need nothing, and name their defaults', () => {
  const schema = toJsonSchema('settings');
  assert.is(schema.required, undefined);
  const { oauth } = schema.properties as Record<string, { properties: Record<string, Node> }>;
  assert.is(oauth?.properties.codeSeconds?.default, 60);
});

test('closed sets and patterns reach the editor', () => {
  const { method, path } = toJsonSchema('rest').properties as Record<string, Node>;
  assert.equal(method?.enum, ['all', 'get', 'post', 'put', 'patch', 'delete']);
  assert.type(path?.pattern, 'string');
});

test('keys in the order of the shape, at every depth; what is free stays as it is', () => {
  const text = printDefinition('schema', {
    relations: [{ kind: '1:1', schema: 'profile' }],
    fields: [
      { validation: [{ message: 'M', method: 'required' }], type: 'text', attributes: { z: 1, a: 2 }, name: 'x' },
    ],
    name: 'a',
    extra: 1,
  });
  const compact = JSON.stringify(JSON.parse(text));
  assert.is(
    compact,
    '{"name":"a","fields":[{"name":"x","type":"text","attributes":{"z":1,"a":2},"validation":[{"method":"required","message":"M"}]}],"relations":[{"schema":"profile","kind":"1:1"}],"extra":1}',
  );
  assert.ok(text.startsWith('{\n  "name": "a",\n'));
  assert.ok(text.endsWith('}\n'));
  assert.is(printDefinition('schema', JSON.parse(text)), text);
});

test('a value that does not fit is printed all the same', () => {
  assert.is(printDefinition('schema', 5), '5\n');
  assert.is(printDefinition('schema', { fields: 'x' }), '{\n  "fields": "x"\n}\n');
});

test('the old text where it says the same, else the one form', () => {
  const old = '{"slug":"a" , "name":"A","permissions":[]}';
  const value = { permissions: [], name: 'A', slug: 'a', $schema: undefined };
  assert.is(printChanged('role', value, old), old);
  assert.is(
    printChanged('role', { ...value, name: 'B' }, old),
    '{\n  "slug": "a",\n  "name": "B",\n  "permissions": []\n}\n',
  );
  assert.is(printChanged('role', value, undefined), printDefinition('role', value));
  assert.is(printChanged('role', value, 'broken'), printDefinition('role', value));
});

test.run();
