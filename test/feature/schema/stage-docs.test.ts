import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileProject } from '../../../src/boot.ts';
import { describeStage } from '../../../src/plan/event/describe.ts';
import { Project } from '../../project.ts';

const test = suite('schema/stage-docs');

const project = new Project('blog');
const { plan } = await compileProject(project.root, {});
await project.remove();

const listKeys = (event: string, schema?: string): string[] => {
  const record = plan?.events.find(({ name }) => name === event);
  assert.ok(record, event);
  return Object.keys(describeStage(record, schema === undefined ? undefined : plan?.model.schemas.get(schema)));
};

const KEYS: readonly [event: string, schema: string, has: readonly string[], lacks: readonly string[]][] = [
  ['system-model-create', 'comment', ['schema', 'comment_detail', 'profile_id', 'article_id'], ['article_title']],
  ['system-model-update', 'article', ['article_id', 'article_title', 'comment_id'], ['comment_detail']],
  ['system-model-remove', 'article', ['article_id', 'article_slug'], ['article_title']],
  ['system-relation-link', 'article', ['schema1', 'article_id', 'article_id_2', 'relation'], ['article_slug']],
];
for (const [event, schema, has, lacks] of KEYS) {
  test(`the stage of ${event} has the keys of the schema ${schema}`, () => {
    const keys = listKeys(event, schema);
    assert.equal(
      has.filter((key) => !keys.includes(key)),
      [],
    );
    assert.equal(
      lacks.filter((key) => keys.includes(key)),
      [],
    );
  });
}

test('names that stand for keys are in a stage without a schema only', () => {
  const standing = (schema?: string): string[] =>
    (plan?.events ?? [])
      .filter(({ name }) => listKeys(name, schema).some((key) => key.startsWith('<')))
      .map(({ name }) => name);
  assert.ok(standing().includes('system-model-create'));
  assert.equal(standing('article'), []);
});

test.run();
