import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileProject } from '../../src/boot.ts';
import { ProblemsError } from '../../src/core/errors.ts';
import { applyJudged } from '../../src/edit/advice.ts';
import { applyChanges, previewChanges } from '../../src/edit/change.ts';
import { previewMigration } from '../../src/edit/preview-migration.ts';
import type { EditedProject } from '../../src/edit/project.ts';
import { applyRemoval } from '../../src/edit/removal.ts';
import { applyRename } from '../../src/edit/rename.ts';
import type { Definitions } from '../../src/model/definitions.ts';
import { renameField } from '../../src/model/rename/rename.ts';
import { readProject } from '../../src/project/read.ts';
import { Folders } from '../cli/run.ts';

/** Definitions are edited by a program, as by a page, without a command line, terminal or prompt. */
const edit = suite('edit');

const folders = new Folders();
edit.after(() => folders.remove());

interface Edited extends EditedProject {
  /** Folders that were compiled. */
  readonly compiled: string[];
}

function open({ isDryRun = false } = {}): Edited {
  const root = folders.makeProject();
  rmSync(join(root, '.env'));
  const compiled: string[] = [];
  return {
    root: () => root,
    env: {},
    isDryRun,
    compiled,
    compile(folder) {
      compiled.push(folder);
      return compileProject(folder, {});
    },
  };
}

const readDefinitions = async (project: EditedProject): Promise<Definitions> =>
  (await readProject(project.root())).definitions;

function readConfig(project: EditedProject): Map<string, string> {
  const folder = join(project.root(), 'config');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  return new Map(files.sort().map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

async function findCodes(work: Promise<unknown>): Promise<string[]> {
  const error = await work.then(
    () => assert.unreachable('nothing was refused'),
    (thrown: unknown) => thrown,
  );
  assert.instance(error, ProblemsError);
  return (error as ProblemsError).problems.map(({ code }) => code);
}

const CITY = {
  name: 'city',
  singular: 'City',
  plural: 'Cities',
  fields: [{ name: 'name', label: 'Name', type: 'text' }],
};
const SCOPE = { slug: 'see', name: 'See', access: 'user', calls: ['nowhere'] };

edit('a change is written, and compiles nothing where all names are those of files', async () => {
  const project = open();
  const files = await applyChanges(project, [{ kind: 'schema', name: 'city', value: CITY }]);
  assert.equal(
    files.map(({ file, change }) => [file, change]),
    [['config/schema/city.json', 'created']],
  );
  assert.is(readFileSync(join(project.root(), 'config/schema/city.json'), 'utf8'), files[0]?.text);
  assert.equal(project.compiled, []);
});

edit('a name that no file has is looked up in the compiled code, and refused with every file as it was', async () => {
  const project = open();
  const before = readConfig(project);
  const changes = [
    { kind: 'schema', name: 'city', value: CITY },
    { kind: 'scope', name: 'see', value: SCOPE },
  ] as const;
  assert.equal(await findCodes(applyChanges(project, changes)), ['MODEL_SCOPE_CALL_UNKNOWN']);
  assert.equal(project.compiled, [project.root()]);
  assert.equal(readConfig(project), before);
});

edit('a dry run names the files and writes none', async () => {
  const project = open({ isDryRun: true });
  const before = readConfig(project);
  const definitions = await readDefinitions(project);
  const target = { kind: 'schema', name: 'comment' } as const;
  const renamed = renameField(definitions, 'article', 'title', 'headline');
  const [created, { edits }, { files }] = [
    await applyChanges(project, [{ kind: 'schema', name: 'city', value: CITY }]),
    await applyRename(project, { definitions, renamed, isWithCode: true }),
    await applyRemoval(project, { definitions, target, words: 'the schema "comment"', isCascade: true }),
  ];
  for (const list of [created, edits, files]) assert.ok(list.length > 0);
  assert.equal(readConfig(project), before);
});

edit('a rename changes what names a field, and gives the lines of code that it left', async () => {
  const project = open();
  const definitions = await readDefinitions(project);
  const renamed = renameField(definitions, 'article', 'title', 'headline');
  const { edits, left } = await applyRename(project, {
    definitions,
    renamed,
    field: { schema: 'article', from: 'title', to: 'headline' },
    isWithCode: false,
  });
  assert.ok(edits.some(({ file }) => file === 'config/schema/article.json'));
  assert.ok(left.length > 0 && left.every(({ file }) => file.endsWith('.ts')), JSON.stringify(left));
  const schema = (await readDefinitions(project)).schema.get('article')?.value;
  assert.ok(schema?.fields.some(({ name, was }) => name === 'headline' && was === 'title'));
});

edit('a removal names every place that is left, and takes them along where that is asked', async () => {
  const project = open();
  const before = readConfig(project);
  const removal = {
    definitions: await readDefinitions(project),
    target: { kind: 'schema', name: 'comment' },
    words: 'the schema "comment"',
  } as const;
  const codes = await findCodes(applyRemoval(project, { ...removal, isCascade: false }));
  assert.ok(codes.length > 0 && codes.every((code) => code === 'CLI_REFERENCE_LEFT'));
  assert.equal(readConfig(project), before);
  const { files } = await applyRemoval(project, { ...removal, isCascade: true });
  assert.ok(files.some(({ file, change }) => file === 'config/schema/comment.json' && change === 'removed'));
  assert.not.ok(existsSync(join(project.root(), 'config/schema/comment.json')));
  const { definitions } = await readProject(project.root());
  assert.not.ok(definitions.schema.get('article')?.value.relations?.some(({ schema }) => schema === 'comment'));
});

edit('the plan of a migration says what a change would do to the tables', async () => {
  const project = open();
  const { before, after } = await previewChanges(project, [{ kind: 'schema', name: 'city', value: CITY }]);
  const steps = (await previewMigration(project, before, after)) ?? [];
  assert.ok(
    steps.some((step) => step.includes('city')),
    steps.join('\n'),
  );
  assert.not.ok(existsSync(join(project.root(), 'var/app.db')));
});

edit('a fault that only a feature finds is refused, from a copy that is compiled and removed', async () => {
  const project = open();
  const hook = {
    title: 'Article created',
    event: 'system-model-create',
    parameters: { schema: 'article' },
    filter: { article_published: 'notadate' },
    type: 'article.created',
    audience: 'app',
    method: 'post',
    delivery: 'queued',
    secretVersion: 1,
  };
  const codes = await findCodes(applyJudged(project, [{ kind: 'webhook', name: 'article-created', value: hook }]));
  assert.equal(codes, ['WEBHOOK_FILTER_INVALID']);
  const copy = project.compiled.find((folder) => folder !== project.root());
  assert.ok(copy !== undefined && !existsSync(copy));
  assert.not.ok(existsSync(join(project.root(), 'config/webhook/article-created.json')));
});

edit.run();
