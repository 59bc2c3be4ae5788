// The order of a request: names of steps as a text, the steps that the server runs, and those that `treadle explain` prints.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeCall } from '../../src/cli/explain/call.ts';
import { findRoute } from '../../src/cli/explain/find.ts';
import { explainSteps } from '../../src/cli/explain/step.ts';
import { compose, type Step } from '../../src/core/compose.ts';
import { AnswerCache } from '../../src/feature/rest/cached-answer.ts';
import { listCallSteps } from '../../src/feature/rest/call.ts';
import { compileCors } from '../../src/feature/rest/cors.ts';
import { HTTP_STEPS } from '../../src/http/steps/order.ts';
import { CALL_STEPS } from '../../src/plan/call/call-step.ts';
import type { CompiledPlan } from '../../src/plan/compile.ts';
import { type RecordWorld, startRecordWorld } from '../record/_world.ts';

const test = suite<{ world: RecordWorld }>('http/steps');
test.before(async (context) => {
  context.world = await startRecordWorld();
});
test.after(({ world }) => world.site.app.close());

test('the lists are those of the golden file', () => {
  const { arrival, ...kinds } = HTTP_STEPS;
  const lists = { 'every request': arrival, ...kinds, call: CALL_STEPS };
  const text = Object.entries(lists).map(([name, steps]) => `${name}: ${steps.join(' ')}\n`);
  assert.is(text.join(''), readFileSync(new URL('steps.golden.txt', import.meta.url), 'utf8'));
});

test('steps run in order, the end last, and one that does not go on has the last word', async () => {
  const step = (name: string, isLast = false): Step<string[]> => ({
    name,
    run(seen, next) {
      seen.push(name);
      return isLast ? 'stopped' : next(seen);
    },
  });
  const seen: string[] = [];
  const end = (passed: string[]): string => `${passed.length} passed`;
  assert.is(compose([step('a'), step('b')], end)(seen), '2 passed');
  assert.is(compose([step('c'), step('d', true), step('e')], end)(seen), 'stopped');
  assert.equal(seen, ['a', 'b', 'c', 'd']);
  assert.is(compose<string[]>([])(seen), undefined);
});

test('explain prints the steps that a call runs, in their order', ({ world }) => {
  const { app } = world.site;
  const plan = app.plan as CompiledPlan;
  const state = { cache: new AnswerCache(), corsOf: compileCors };
  assert.ok(plan.calls.length > 20);
  for (const call of plan.calls) {
    const method = call.definition.method === 'all' ? 'GET' : call.definition.method.toUpperCase();
    const path = call.path.replace(/:\w+/g, '1').replace(/\*+/g, 'x');
    const found = { ...findRoute(plan, method, path), call };
    const set = plan.bus.match(method, path);
    const facts = {
      plan,
      found,
      set,
      guard: undefined,
      call: describeCall(plan, call, found),
      root: world.site.project.root,
    };
    const names = explainSteps(facts).map(({ name }) => name);
    const own = names.slice(names.indexOf('listeners') + 1, names.lastIndexOf('failure'));
    assert.equal(
      own,
      listCallSteps(call, app.context, state).map(({ name }) => name),
      call.name,
    );
    assert.equal(
      own,
      CALL_STEPS.filter((name) => own.includes(name)),
      call.name,
    );
  }
});

test.run();
