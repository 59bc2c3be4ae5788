import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listFiles, sourceRoot, toName } from './source.ts';

const test = suite('structure/own-names');

/** Tables that are open to any text: a name such as `constructor` finds what every object has. */
const TABLE = /const ([A-Z][A-Z_0-9]+):\s*(?:Readonly<|Partial<)*Record<\s*string\s*,[\s\S]*?=\s*\{/g;

/** Tables that are read by names of the source or of a library only, each with where the names come from. */
const CLOSED: Readonly<Record<string, string>> = {
  'cli/create/template.ts STORED_AS': 'files of the scaffold',
  'cli/failure.ts EXIT_BY_CODE': 'codes of errors',
  'cli/fake/limits.ts OWN': 'field types',
  'cli/fake/pattern.ts CLASSES': 'one character',
  'cli/hook/filter.ts STAGE_KEYS': 'flags of the command',
  'cli/hook/filter.ts UNITS': 'one letter of a pattern',
  'cli/question/rule.ts PARAMETERS': 'kinds of parameters',
  'database/postgres/postgres-error.ts KINDS': 'codes of PostgreSQL',
  'database/postgres/structure.ts RULES': 'letters of the catalogue',
  'page/delivery-view.ts RECEIVER_BADGES': 'states of receivers',
  'feature/admin-operation/migration-pages.ts CLASSES': 'classes of steps',
  'feature/docs/answers.ts COMPONENTS': 'kinds of components',
  'feature/docs/highlight.ts REFERENCES': 'matches of a pattern',
  'feature/docs/highlight.ts TABS': 'tabs of the page',
  'feature/docs/hook-condition.ts WORDS': 'operators of the model',
  'feature/docs/hook-facts.ts FORMAT_HEADERS': 'headers of a format',
  'feature/docs/hook-receiver.ts BY_HEADERS': 'languages of samples',
  'feature/webhook/developer/hook.ts SENDING': 'names that ACTIONS has',
  'form/typed.ts JSON_ERRORS': 'codes of the parser',
  'model/field/field-mask.ts TOKENS': 'one character',
  'model/format/format-date.ts LETTERS': 'one letter',
  'model/format/format-text.ts ESCAPES': 'one character',
  'model/json/json-text.ts MESSAGES': 'codes of the parser',
  'model/parse.ts KINDS': 'results of typeof',
  'outbound/mail.ts PORTS': 'protocols, which end with a colon',
  'access/page-doors.ts ACCESS_ROLES': 'kinds of access',
  'plan/call/shape-words.ts FORMATS': 'formats of zod',
  'plan/call/shape-words.ts NOUNS': 'types of zod',
  'plan/call/shape-words.ts TYPES': 'types of zod',
  'project/image.ts BY_EXTENSION': 'extensions, which begin with a dot',
  'project/image.ts FORMATS': 'formats of the library',
  'project/life.ts WORDS': 'types of handles',
  'model/filter/compared-column.ts DECIMALS': 'field types',
  'model/filter/compared-column.ts TYPES': 'field types',
  'rows/csv.ts REASONS': 'codes of the reader',
};

/** Tables that a file reads without looking whether the name is the table's own. */
function listBare(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const names = new Set([...text.matchAll(TABLE)].map(([, name]) => name as string));
  return [...names].filter((name) => {
    const isRead = new RegExp(`\\b${name}\\[(?!['"])`).test(text);
    return isRead && !new RegExp(`hasOwn\\(${name}\\b|Object\\.keys\\(${name}\\)`).test(text);
  });
}

test('a table is read by a name from outside only through findOwn, Object.hasOwn or a Map', () => {
  const found = listFiles(sourceRoot).flatMap((file) =>
    listBare(file).map((name) => `${toName(file).replace(/^src\//, '')} ${name}`),
  );
  assert.equal(
    found.filter((place) => !Object.hasOwn(CLOSED, place)).sort(),
    [],
    'read them by findOwn of core/record.ts',
  );
  assert.equal(
    Object.keys(CLOSED).filter((place) => !found.includes(place)),
    [],
    'remove what is no longer there',
  );
});

test.run();
