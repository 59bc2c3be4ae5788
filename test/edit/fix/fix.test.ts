import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isError, type Problem } from '../../../src/core/errors.ts';
import { packageRoot } from '../../../src/core/file/package-root.ts';
import { applyPatch } from '../../../src/model/json/json-patch.ts';
import { parseJsonText } from '../../../src/model/json/json-text.ts';
import { run } from '../../cli/run.ts';
import { Project } from '../../project.ts';
import { FAULTS, PROJECT } from './_faults.ts';

const test = suite('edit/fix');
const project = new Project('none');
for (const [file, value] of Object.entries(PROJECT)) project.write(file, value);

type ToldProblem = Problem & { readonly docs?: string };

async function check(): Promise<ToldProblem[]> {
  const { out } = await run(['check', '--json'], { cwd: project.root });
  return JSON.parse(out).problems;
}

/** The problems that the project without a mistake has: advice. */
const calm = new Set<string>();
const isNew = ({ code, file }: Problem): boolean => !calm.has(`${code} ${file}`);

test('the project without a mistake has no error', async () => {
  const problems = await check();
  for (const { code, file } of problems) calm.add(`${code} ${file}`);
  assert.equal(
    problems.filter(isError).map(({ message }) => message),
    [],
  );
});

test('there are more than thirty mistakes of their own', () => {
  assert.ok(FAULTS.length > 30);
  assert.is(new Set(FAULTS.map(({ what }) => what)).size, FAULTS.length);
});

for (const { what, code, file, edit } of FAULTS) {
  test(`${what}: ${code} is found, and its fix leaves nothing`, async () => {
    const before = project.read(file);
    const planted = before.replace(...edit);
    assert.is.not(planted, before);
    project.write(file, planted);
    try {
      const found = (await check()).filter(isNew);
      const problem = found.find((each) => each.code === code && each.file === file);
      assert.ok(problem, `${code} is not among ${JSON.stringify(found)}`);
      assert.ok(problem.fix, `no fix: ${JSON.stringify(problem)}`);
      assert.is(problem.fix.file, file);
      assert.ok(existsSync(join(packageRoot, String(problem.docs))), problem.docs);
      const { value } = parseJsonText(project.read(file));
      project.write(file, applyPatch(value, problem.fix.patch));
      assert.equal((await check()).filter(isNew), []);
    } finally {
      project.write(file, before);
    }
  });
}

test.after(() => project.remove());
test.run();
