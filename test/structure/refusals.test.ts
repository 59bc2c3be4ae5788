import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readErrorCatalog } from '../../src/core/error-catalog.ts';
import { listRuleFacts } from '../../src/feature/docs/error/rules.ts';
import { listFiles, sourceRoot, toName } from './source.ts';

/** A program tells refusals apart by their codes, so each has one, and the docs explain it. */
const refusals = suite('structure/refusals');

/** Where an object literal is a refusal: given to what refuses, or declared as one. */
const OPENING =
  /(?:\b(?:refuse|reject|RowFailure)\((?:x\.)?(?:response, )?|: Refusal = |: Refusal => \(|\brefusal: |\breturn (?=\{\s*status: 4\d\d,\s*code))\{/g;
/** A code and a status that are given one after the other. */
const IN_ORDER = /\brefuse\(\s*'([A-Z_0-9]+)',\s*(\d{3})\b/g;
/** An error of the server or a feature whose code the caller is told. */
const THROWN = /\bnew TreadleError\(\s*'([A-Z_0-9]+)',[^;]*?\bstatus: (4\d\d)\b/g;

interface Literal {
  readonly where: string;
  readonly text: string;
}

/** The text of the object that opens at a place. */
function readObject(text: string, start: number): string {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '{') depth += 1;
    if (text[index] === '}') depth -= 1;
    if (depth === 0) return text.slice(start, index + 1);
  }
  return text.slice(start);
}

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));

/** The database and the command line have refusals of other kinds. */
const ELSEWHERE = /^src\/(?:database|cli)\//;

const sources = listFiles(sourceRoot)
  .map((file) => [toName(file), withoutComments(readFileSync(file, 'utf8'))] as const)
  .filter(([name]) => !ELSEWHERE.test(name));

const literals: readonly Literal[] = sources.flatMap(([name, text]) =>
  [...text.matchAll(OPENING)].map((match) => {
    const start = match.index + match[0].length - 1;
    return { where: `${name}:${text.slice(0, start).split('\n').length}`, text: readObject(text, start) };
  }),
);

refusals('each refusal names a code', () => {
  const found = literals.filter(({ text }) => /^\{\s*status\b/.test(text) && /\bmessage\b/.test(text));
  assert.ok(found.length > 120, `only ${found.length} were found`);
  const without = found.filter(({ text }) => !/\bcode\b/.test(text)).map(({ where }) => where);
  assert.equal(without, [], 'give the refusal a code, and explain the code in docs/errors.json');
});

refusals('the docs explain each code with the status that the refusal has', () => {
  const catalog = readErrorCatalog();
  const wrong = literals.flatMap(({ where, text }) => {
    const [, status] = /\bstatus: (\d{3})\b/.exec(text) ?? [];
    const codes = [...(/\bcode: ([^,}]+)/.exec(text)?.[1] ?? '').matchAll(/'([A-Z_0-9]+)'/g)].map(
      ([, code = '']) => code,
    );
    return codes.flatMap((code) => {
      const known = catalog.get(code)?.status;
      if (known === undefined) return [`${where}: ${code} has no status in docs/errors.json`];
      return status === undefined || known === Number(status)
        ? []
        : [`${where}: ${code} is ${known} in docs/errors.json`];
    });
  });
  for (const [name, text] of sources.filter(([file]) => /^src\/(?:http|feature)\//.test(file)))
    for (const [, code = '', status] of [...text.matchAll(IN_ORDER), ...text.matchAll(THROWN)])
      if (catalog.get(code)?.status !== Number(status))
        wrong.push(`${name}: ${code} is no ${status} in docs/errors.json`);
  assert.equal(wrong, [], 'an entry that callers of HTTP meet is { "status": 409, "meaning": "…", "remedy": "…" }');
});

refusals('an entry with a status has a remedy, both in sentences', () => {
  const wrong = [...readErrorCatalog().values()].filter(
    ({ status, meaning, remedy }) =>
      status !== undefined && !(/^\S.*\.$/.test(meaning) && /^\S.*\.$/.test(remedy ?? '')),
  );
  assert.equal(wrong, []);
});

refusals('the docs list each rule that the source notes', () => {
  const listed = new Set(listRuleFacts().map(({ name }) => name));
  const noted = sources.flatMap(([name, text]) =>
    [...text.matchAll(/\brule: '([a-z_]+)'/g)].map(([, rule = '']) => [name, rule] as const),
  );
  assert.ok(noted.length > 40);
  assert.equal(
    noted.filter(([, rule]) => !listed.has(rule)),
    [],
  );
});

refusals.run();
