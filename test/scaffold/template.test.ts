import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TEMPLATES } from '../../src/cli/create/template.ts';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { printDefinition } from '../../src/model/json/json-schema.ts';
import { linkModel } from '../../src/model/link.ts';
import { DEFINITION_KINDS } from '../../src/model/shape.ts';
import { readProject } from '../../src/project/read.ts';
import { Folders } from '../cli/run.ts';

const folders = new Folders();
const test = suite('scaffold/template');
test.after(() => folders.remove());

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

for (const template of TEMPLATES) {
  const root = folders.makeProject(template);

  test(`${template}: the definitions have no problem and are formatted`, async () => {
    const { definitions, problems } = await readProject(root);
    assert.equal(problems, []);
    assert.equal(linkModel(definitions).problems, []);
    for (const kind of DEFINITION_KINDS) {
      for (const { file, text, value } of definitions[kind].values())
        assert.is(text, printDefinition(kind, value), file);
    }
    const { text } = definitions.settings;
    assert.is(text, printDefinition('settings', JSON.parse(text)));
  });

  test(`${template}: pages ask nothing of another site and hold no inline script or style`, () => {
    for (const file of listFiles(join(root, 'app')).filter((name) => name.endsWith('.html'))) {
      const text = readFileSync(file, 'utf8');
      assert.not.match(text, /(?:src|href|action)="(?:https?:)?\/\//, file);
      assert.not.match(text, /<script|<style|\sstyle=|\son[a-z]+=/i, file);
    }
    const css = readFileSync(join(root, 'public/styles/app.css'), 'utf8');
    assert.not.match(css, /@import|url\(/);
  });

  test(`${template}: editors are told of a JSON Schema for every kind, which the package has`, () => {
    const { 'json.schemas': named } = JSON.parse(readFileSync(join(root, '.vscode/settings.json'), 'utf8'));
    const found = named.map(({ fileMatch, url }: { fileMatch: string[]; url: string }) => {
      const path = url.replace(/^\.\/node_modules\/treadle\//, '');
      assert.is(JSON.parse(readFileSync(join(packageRoot, path), 'utf8')).type, 'object', url);
      return fileMatch[0];
    });
    assert.equal(found, ['/config/settings.json', ...DEFINITION_KINDS.map((kind) => `/config/${kind}/*.json`)]);
  });

  test(`${template}: names nothing of the machine that it was made on`, () => {
    for (const file of listFiles(join(packageRoot, 'scaffold', template))) {
      assert.not.match(readFileSync(file, 'utf8'), packageRoot, file);
    }
  });
}

test('the sample rows name columns that are there, and rows that are there', async () => {
  const root = folders.makeProject();
  const { model } = linkModel((await readProject(root)).definitions);
  assert.ok(model);
  const rows = (name: string): Record<string, unknown>[] =>
    readFileSync(join(root, 'fixture', `${name}.ndjson`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  for (const name of ['profile', 'article', 'comment']) {
    const schema = model.schemas.get(name);
    const foreign = [`${name}_id`, ...(name === 'comment' ? ['article_id', 'profile_id'] : [])];
    for (const row of rows(name)) {
      for (const key of Object.keys(row)) assert.ok(foreign.includes(key) || schema?.byName.has(key), `${name}.${key}`);
    }
  }
  for (const row of rows('comment')) {
    assert.ok(Number(row.article_id) <= rows('article').length);
    assert.ok(Number(row.profile_id) <= rows('profile').length);
  }
  assert.ok(rows('article').length >= 8);
});

test.run();
