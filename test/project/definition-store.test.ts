import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDefinitionStore } from '../../src/project/definition-store.ts';
import { readProject } from '../../src/project/read.ts';
import { Project } from '../project.ts';

/** Parsed definitions that are kept between starts. */
const store = suite('project/definition-store');
const folder = mkdtempSync(join(tmpdir(), 'treadle-definitions-'));
const file = join(folder, 'definitions.json');
const ARTICLE = { name: 'article', singular: 'Article', plural: 'Articles', fields: [{ name: 'title', type: 'text' }] };
const project = new Project('none');
store.before(() => {
  project.write('config/settings.json', '{"name": "Kept"}');
  project.write('config/schema/article.json', JSON.stringify(ARTICLE));
});
store.after(async () => {
  await project.remove();
  rmSync(folder, { recursive: true });
});

/** One start: reads the project with what the store has, and saves. */
async function start(build: string) {
  const kept = createDefinitionStore(file, build);
  const before = new Map(kept.files);
  const { definitions, problems } = await readProject(project.root, kept.files);
  kept.save();
  return { before, definitions, problems };
}

store('a second start has what the first one parsed, with the defaults of the settings', async () => {
  const first = await start('1');
  assert.is(first.before.size, 0);
  const second = await start('1');
  assert.equal([...second.before.keys()].sort(), ['config/schema/article.json', 'config/settings.json']);
  assert.equal(second.definitions, first.definitions);
  assert.is(second.definitions.settings.value.limits.perMinute, 600);
  assert.is(second.definitions.schema.get('article'), second.before.get('config/schema/article.json')?.parsed.source);
  assert.is(statSync(file).mode & 0o077, 0, 'settings may contain a password');
});

store('a file with another text is parsed again, and one with a mistake is not kept', async () => {
  project.write('config/schema/article.json', JSON.stringify({ ...ARTICLE, plural: 'Texts' }));
  assert.is((await start('1')).definitions.schema.get('article')?.value.plural, 'Texts');
  project.write('config/schema/article.json', JSON.stringify({ ...ARTICLE, plurals: 'Texts' }));
  assert.is((await start('1')).problems[0]?.code, 'DEFINITION_KEY_UNKNOWN');
  const again = await start('1');
  assert.is(again.problems[0]?.code, 'DEFINITION_KEY_UNKNOWN');
  assert.equal([...again.before.keys()], ['config/settings.json']);
});

store('another build of the program parses all again, and a broken store is rebuilt', async () => {
  assert.is((await start('2')).before.size, 0);
  assert.is((await start('2')).before.size, 1);
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, 40));
  assert.is((await start('2')).before.size, 0);
});

store.run();
