import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printProblem, sortProblems } from '../../src/core/errors.ts';
import { printDefinition } from '../../src/model/json/json-schema.ts';
import { linkModel } from '../../src/model/link.ts';
import { DEFINITION_KINDS } from '../../src/model/shape.ts';
import { defaultSettings, readProject } from '../../src/project/read.ts';
import { createFolder } from './_folder.ts';

const test = suite('project/read');
const cases = fileURLToPath(new URL('../fixture/project', import.meta.url));

/** Every problem of reading and linking; `TREADLE_GOLDEN=1` updates the expected files. */
for (const name of readdirSync(cases)) {
  test(`the project ${name}`, async () => {
    const root = join(cases, name);
    const { definitions, problems } = await readProject(root);
    const linked = linkModel(definitions);
    const found = sortProblems([...problems, ...linked.problems])
      .map((problem) => `${printProblem(problem)}\n`)
      .join('');
    const golden = join(root, 'problems.golden.txt');
    if (process.env.TREADLE_GOLDEN && found !== '') writeFileSync(golden, found);
    assert.fixture(found, existsSync(golden) ? readFileSync(golden, 'utf8') : '');
    assert.is(linked.model === undefined, name.startsWith('broken'));
  });
}

test('writing what was read changes no byte', async () => {
  const { definitions } = await readProject(join(cases, 'good-blog'));
  let count = 0;
  for (const kind of DEFINITION_KINDS) {
    for (const { file, text, value } of definitions[kind].values()) {
      assert.is(printDefinition(kind, value), text, file);
      count += 1;
    }
  }
  assert.is(count, 15);
});

test('a project without settings has the defaults; settings are filled up with them', async () => {
  const { definitions, problems } = await readProject(join(cases, 'good-bare'));
  assert.equal(definitions.settings, defaultSettings());
  assert.equal(problems, []);
  const blog = await readProject(join(cases, 'good-blog'));
  assert.equal(blog.definitions.settings.value, {
    ...defaultSettings().value,
    name: 'My blog',
    home: '/articles',
    api: true,
  });
});

test('ignores files that are no definitions, and reports unreadable ones', async () => {
  const folder = createFolder({
    'config/schema/.x.json': 'half',
    'config/schema/note.txt': 'x',
    'config/rest': 'no folder',
    'config/role/dir.json/x': '',
    'config/setings.json': '{}',
    'config/.cache/x': '',
    'config/settings.json': '\uFEFF{ "name": "With a mark" }',
  });
  const { definitions, problems } = await readProject(folder.root);
  assert.is(definitions.schema.size, 0);
  assert.is(definitions.settings.value.name, 'With a mark');
  assert.equal(sortProblems(problems).map(printProblem), [
    'config/rest: This must be a folder. Move the file away. [PROJECT_FILE_UNREADABLE]',
    'config/setings.json: Nothing reads config/setings.json. Did you mean "settings.json"? [PROJECT_CONFIG_UNKNOWN]',
  ]);
  folder.remove();
});

test.run();
