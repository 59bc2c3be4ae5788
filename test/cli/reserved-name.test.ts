import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Project } from '../project.ts';

const reserved = suite('names that every object has');

reserved('no kind of definition is renamed to one, and check names a file that has one', async () => {
  const project = new Project('blog');
  const { slug: _, ...role } = { slug: '', name: 'Editor', permissions: [] };
  project.write('config/role/editor.json', { slug: 'editor', ...role });
  const fail = (...argv: string[]): Promise<string> =>
    project.cli(...argv).then(
      () => 'It went through.',
      (error: unknown) => String(error),
    );
  const reason = /every object has a part of that name/;
  for (const to of ['constructor', 'toString', 'valueOf', 'prototype']) {
    assert.match(await fail('role', 'rename', 'editor', to, '--yes'), reason, `role ${to}`);
    assert.match(await fail('schema', 'rename', 'article', to, '--yes'), reason, `schema ${to}`);
  }
  project.write('config/role/constructor.json', { slug: 'constructor', ...role });
  assert.match(await fail('check'), reason);
  await project.remove();
});

reserved.run();
