import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCall } from '../../../../src/edit/usual-call.ts';
import { docs } from '../../../../src/feature/docs/index.ts';
import { buildOpenApi } from '../../../../src/feature/docs/openapi/document.ts';
import type { Access, Schema } from '../../../../src/model/shape.ts';
import { compilePlan } from '../../../../src/plan/compile.ts';
import { createDraft } from '../../../../src/plan/draft.ts';
import { FILES, SCHEMAS, toModel } from '../../rest/_world.ts';

type Node = Record<string, unknown>;

const toSchema = (name: string, relations: readonly object[]): Schema =>
  ({
    name,
    singular: name,
    plural: `${name}s`,
    fields: [{ name: 'title', type: 'text', required: true }],
    relations: [{ schema: 'profile', kind: '1:1' }, ...relations],
  }) as unknown as Schema;

const CHAPTER = toSchema('chapter', []);
const BOOK = toSchema('book', [{ schema: 'chapter', kind: '1:N' }]);

/** The document of an API that writes books, and chapters by some actions. */
function makeDocument(access: readonly Access[], actions: readonly ('create' | 'update')[]): Node {
  const calls = access.flatMap((each) => [
    createCall(each, BOOK, 'create'),
    ...actions.map((action) => createCall(each, CHAPTER, action)),
  ]);
  const rest = Object.fromEntries(calls.map(({ name, value }) => [name, value]));
  const listed = Object.keys(rest).filter((name) => name.startsWith('user-'));
  const scope = { book: { slug: 'book', name: 'Books', access: 'user', calls: listed } };
  const schema = { profile: SCHEMAS.profile, book: BOOK, chapter: CHAPTER };
  const model = toModel({ ...FILES, schema, rest, scope, webhook: {} }, { name: 'Books', api: true });
  const { plan } = compilePlan({ model, draft: createDraft(), features: [docs], isDevelopment: false });
  return JSON.parse(JSON.stringify(buildOpenApi(plan, 'https://example.org'))) as Node;
}

const at = (document: Node, ...keys: string[]): unknown =>
  keys.reduce<unknown>((node, key) => (node as Node | undefined)?.[key], document);

/** The properties of a chapter in the body of a call that creates a book. */
function listChildKeys(document: Node, access: Access): string[] {
  const body = at(document, 'components', 'schemas', `${access}-book-create-body`, 'properties', 'chapter', 'items');
  const name = String((body as Node).$ref)
    .split('/')
    .pop() as string;
  return Object.keys(at(document, 'components', 'schemas', name, 'properties') as Node);
}

const test = suite('openapi: children');

test('a child has the columns that the calls of the same access take', () => {
  const document = makeDocument(['app', 'public', 'user'], ['create']);
  const whole = ['chapter_id', 'chapter_title', 'profile_id'];
  assert.equal(listChildKeys(document, 'app'), whole);
  assert.equal(listChildKeys(document, 'public'), whole);
  // The token names the profile.
  assert.equal(listChildKeys(document, 'user'), ['chapter_id', 'chapter_title']);
});

test('a child that calls only change has their columns', () => {
  assert.equal(listChildKeys(makeDocument(['app'], ['update']), 'app'), ['chapter_id', 'chapter_title', 'profile_id']);
});

test('credentials that no call takes are not listed', () => {
  const list = (access: Access): string[] =>
    Object.keys((at(makeDocument([access], ['create']), 'components', 'securitySchemes') ?? {}) as Node).sort();
  assert.equal(list('public'), []);
  assert.ok(list('app').includes('appBasic'));
  assert.not.ok(list('user').includes('appBasic'));
});

test.run();
