// Treadle's German is complete: every text that templates and code look up has a translation, and none is left over.
import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileProject } from '../../src/boot.ts';
import { systemClock } from '../../src/core/clock.ts';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { listPlaces } from '../../src/core/text/message.ts';
import { toSettingLabel } from '../../src/feature/admin-definition/settings/controls.ts';
import { MESSAGES } from '../../src/feature/rest/errors.ts';
import { fieldKinds } from '../../src/model/field/field-kind.ts';
import { validators } from '../../src/model/field/validate-rule.ts';
import { formats } from '../../src/model/format/format.ts';
import { createTemplates } from '../../src/pages/view.ts';
import { describeStage } from '../../src/plan/event/describe.ts';
import { Project } from '../project.ts';
import { listFiles } from './source.ts';

const test = suite('structure/german');

const read = (file: string): string => readFileSync(join(packageRoot, file), 'utf8');
const readTexts = (file: string): Readonly<Record<string, string>> => JSON.parse(read(file));
const german = readTexts('templates/locale/de.json');
const blog = readTexts('scaffold/blog/config/locale/de.json');

/** A text in the code that is translated where it stands. */
const CALL = /\b(?:translate|toLocalText)\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`$]*)`)/g;
/** Any text in the code: constants, messages and labels are translated where they are shown. */
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;

const listMatches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, one, two, three]) => (one ?? two ?? three ?? '').replace(/\\(.)/g, '$1'));

function listTemplateTexts(folder: string, extension: '.html' | '.txt'): readonly string[] {
  const templates = createTemplates({ folder: join(packageRoot, folder), clock: systemClock, extension });
  assert.equal(
    templates.check().filter(({ code }) => code === 'VIEW_TEMPLATE_BROKEN'),
    [],
  );
  return templates.texts();
}

const code = listFiles(join(packageRoot, 'src'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(file, 'utf8'));
const ofTemplates = [
  ...listTemplateTexts('templates', '.html'),
  ...listTemplateTexts('templates/mail/message', '.txt'),
];

/** Texts that are translated where they stand. */
const looked = new Set([...ofTemplates, ...code.flatMap((text) => listMatches(text, CALL))]);

test('every text that is looked up has a German translation', () => {
  assert.equal(
    [...looked].filter((text) => text !== '' && !(text in german)),
    [],
  );
});

/** What the events of all features do and take. */
async function listEventTexts(): Promise<readonly string[]> {
  const project = new Project('blog');
  const { plan } = await compileProject(project.root, {});
  await project.remove();
  const texts = (plan?.events ?? []).flatMap((event) => [event.description, ...Object.values(describeStage(event))]);
  return [...new Set(texts)].filter((text) => text !== '');
}
const ofEvents = await listEventTexts();

test('what each event does and takes has a German translation: the page of a call shows it', () => {
  assert.ok(ofEvents.length > 250, String(ofEvents.length));
  assert.equal(
    ofEvents.filter((text) => !(text in german)),
    [],
  );
});

test('every error of the API has a German translation', () => {
  assert.equal(
    Object.values(MESSAGES).filter((text) => !(text in german)),
    [],
  );
});

test('every text of the blog has a German translation', () => {
  const texts = listTemplateTexts('scaffold/blog/app/www/src/template', '.html');
  assert.equal(
    texts.filter((text) => !(text in german) && !(text in blog)),
    [],
  );
});

/** Texts that the code puts together of a few words. */
const BUILT =
  /^\{count, plural, one \{# (?:second|minute|hour|day)\} other|^must (?:be|have) (?:a whole number|a number|text of|less than|at most|more than|at least) |^[FMj] [djF],? Y$|^\{row\} \w+$|^Updated$|^One of [a-z]+(?:, [a-z]+)+\.$|^(?:Build the search index|Drop the table|Roles close|This names) /;

/** Descriptions of what definitions choose from, and labels of settings, which are made of their keys. */
function listMade(): string[] {
  const settings = JSON.parse(read('templates/json-schema/settings.json')) as object;
  const collectKeys = (value: unknown): string[] =>
    typeof value === 'object' && value !== null
      ? [
          ...Object.keys((value as { properties?: object }).properties ?? {}),
          ...Object.values(value).flatMap(collectKeys),
        ]
      : [];
  const kinds = [fieldKinds, formats, validators].flatMap((all) => Object.values(all) as { description: string }[]);
  return [...kinds.map(({ description }) => description), ...collectKeys(settings).map(toSettingLabel)];
}

const PLACES = /\{\w+\}/;

test('every German translation is of a text that is looked up', () => {
  const titles = Object.values(STATUS_CODES) as string[];
  const described = listFiles(join(packageRoot, 'templates/json-schema'), '.json').flatMap((file) =>
    listMatches(readFileSync(file, 'utf8'), LITERAL),
  );
  const known = new Set([
    ...looked,
    ...ofEvents,
    ...titles,
    ...described,
    ...listMade(),
    ...code.flatMap((text) => listMatches(text, LITERAL)),
  ]);
  const all = [...code, ...described].join('\n').replaceAll("\\'", "'").replaceAll('\\`', '`');
  // A text that is made while the program runs: the longest part between its places is in the code.
  const isMade = (text: string): boolean => {
    const parts = text.split(PLACES).flatMap((piece) => piece.split(/(?<=[.?!]) |[".,;:]+(?= |$)/));
    const longest = parts.map((part) => part.trim()).reduce((a, b) => (b.length > a.length ? b : a));
    return all.includes(longest);
  };
  const unused = Object.keys(german).filter((text) => !known.has(text) && !BUILT.test(text) && !isMade(text));
  assert.equal(unused, []);
});

test('a German translation has the places of the English text', () => {
  const differing = Object.entries(german).filter(
    ([english, text]) => String(listPlaces(english)) !== String(listPlaces(text)),
  );
  assert.equal(differing, []);
});

test('a German translation has the elements of the English text', () => {
  const list = (text: string): string => String((text.match(/<\/?(?:\w+)>/g) ?? []).sort());
  const differing = Object.entries(german).filter(
    ([english, text]) => !english.includes('$me.<') && list(english) !== list(text),
  );
  assert.equal(differing, []);
});

test.run();
