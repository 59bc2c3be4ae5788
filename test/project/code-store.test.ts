import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findCodeNames } from '../../src/project/code-names.ts';
import { createCodeStore } from '../../src/project/code-store.ts';
import { createFolder } from './_folder.ts';

const test = suite('project/code-store');
const folder = createFolder();
test.after(() => folder.remove());

test('code and the names in it are kept for one state of a file', () => {
  const { root } = folder;
  const [file, code] = [join(root, 'code.json'), join(root, 'one.ts')];
  const emit = (name: string): void => writeFileSync(code, `app.emit('${name}');\n`);
  const list = (state: string, text?: string): (string | undefined)[] => {
    const store = createCodeStore(file);
    const found = store.find(code, state);
    if (text !== undefined) store.put(code, state, text);
    const names = findCodeNames(root, [code], store).map(({ name }) => name);
    store.save();
    return [found, ...names];
  };
  emit('first');
  assert.equal(list('1', 'code'), [undefined, 'first']);
  emit('second');
  assert.equal(list('1'), ['code', 'first'], 'the file is not read');
  assert.equal(list('2', 'more'), [undefined, 'second']);
  assert.equal(list('2'), ['more', 'second']);
  assert.equal(list('3'), [undefined, 'second'], 'what the store does not know is read');
});

test.run();
