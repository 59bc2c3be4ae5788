import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Project } from '../project.ts';
import { type RunResult, run } from './run.ts';

const project = new Project('bare');
const at = (...argv: string[]): Promise<RunResult> => run([...argv, '--no-interactive'], { cwd: project.root });
const readRelation = (): Record<string, unknown> | undefined =>
  (JSON.parse(project.read('config/schema/task.json')) as { relations: Record<string, unknown>[] }).relations[0];

const test = suite('cli/relation-update');
test.before(async () => {
  for (const argv of [
    ['schema', 'create', 'event', '--field', 'title:text'],
    ['schema', 'create', 'task', '--field', 'title:text'],
    ['relation', 'add', 'task', '1:1', 'event', '--name', 'occasion'],
    ['relation', 'add', 'event', '1:N', 'profile', '--name', 'guest'],
    ['migrate', '--yes'],
  ]) {
    const done = await at(...argv);
    assert.is(done.code, 0, done.err);
  }
});
test.after(() => project.remove());

const CHANGES: readonly (readonly [argv: readonly string[], says: string, relation: object])[] = [
  [['--on-remove', 'restrict'], 'exactly one', { kind: '1:1', onRemove: 'restrict' }],
  [['--kind', '1:0', '--on-remove', 'clear'], 'at most one', { kind: '1:0', onRemove: 'clear' }],
  [['--unset', 'on-remove'], 'at most one', { kind: '1:0' }],
  [['--kind', '1:1'], 'exactly one', { kind: '1:1' }],
];
for (const [argv, says, relation] of CHANGES)
  test(`relation update ${argv.join(' ')} writes it, and the database follows`, async () => {
    const done = await at('relation', 'update', 'task', 'occasion', ...argv);
    assert.is(done.code, 0, done.err);
    assert.match(done.out, says);
    assert.equal(readRelation(), { schema: 'event', name: 'occasion', ...relation });
    assert.is((await at('migrate', '--yes')).code, 0);
  });

const MISTAKES: readonly (readonly [argv: readonly string[], says: string])[] = [
  [['task', 'occasion', '--kind', '1:N'], 'A relation 1:1 cannot become 1:N'],
  [['event', 'guest', '--kind', '1:0'], 'A relation 1:N cannot become 1:0'],
  [['task', 'event', '--on-remove', 'clear'], 'has no relation "event"'],
  [['task', 'occasion', '--on-remove', 'delete'], 'restrict'],
  [['task', 'occasion'], '--on-remove'],
];
for (const [argv, says] of MISTAKES)
  test(`refuses relation update ${argv.join(' ')}`, async () => {
    const before = project.read('config/schema/task.json');
    const done = await at('relation', 'update', ...argv);
    assert.ok(done.code !== 0);
    assert.match(done.err, says);
    assert.is(project.read('config/schema/task.json'), before);
  });

test.run();
