import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { findStrayTexts, listOwnLocales, readLocales, readOwnTexts } from '../../src/project/locale-file.ts';

const test = suite('project/locale-file');
const root = mkdtempSync(join(tmpdir(), 'treadle-locale-'));
test.after(() => rmSync(root, { recursive: true, force: true }));

const FORMER = JSON.parse(readFileSync(join(packageRoot, 'templates/locale/former.json'), 'utf8')) as Record<
  string,
  string
>;
const FRENCH = Object.fromEntries(
  Object.keys(FORMER).map((text, index) => [text, `texte ${index}${/\{.*\}/.exec(text)?.[0] ?? ''}`]),
);

function read(texts: object) {
  mkdirSync(join(root, 'config/locale'), { recursive: true });
  writeFileSync(join(root, 'config/locale/fr.json'), JSON.stringify(texts));
  return readLocales(root);
}

test('every former text has a successor that Treadle shows, and is itself shown no more', () => {
  const texts = readOwnTexts('de');
  assert.ok(Object.keys(FORMER).length > 0);
  for (const [former, current] of Object.entries(FORMER)) {
    assert.ok(texts.has(current), current);
    assert.not.ok(texts.has(former), former);
  }
  assert.not.ok(listOwnLocales().includes('former'));
});

test('a project’s translation of a former text is used for the new one, and check names the new key', () => {
  const { files, problems } = read(FRENCH);
  const [file] = files;
  for (const [former, current] of Object.entries(FORMER)) {
    assert.is(file?.texts.get(current), FRENCH[former]);
    const problem = problems.find(({ message }) => message.includes(former));
    assert.equal(
      [problem?.code, problem?.severity, problem?.line !== undefined],
      ['LOCALE_TEXT_FORMER', 'advice', true],
    );
    assert.ok(problem?.hint?.includes(current), problem?.hint);
  }
  assert.equal(findStrayTexts(files, new Set()), []);
});

test('a translation of the new text wins', () => {
  const [former, current] = Object.entries(FORMER)[0] as [string, string];
  const { files } = read({ [former]: 'ancien', [current]: 'nouveau' });
  assert.is(files[0]?.texts.get(current), 'nouveau');
});

test.run();
