import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { listFiles, sourceRoot, toName } from './source.ts';

/** A comparison that stops at the first other character tells a stranger by its time how much of a secret he guessed. */
const secret = suite('structure/secret');

/** The last part of a name that holds a secret, or what is made of one. */
const SECRET = /(?:secret|token|hash|signature|hmac|digest|password|verifier|challenge|csrf|otp|(?:^|_)mac|Mac)$/i;
/** A flag is no secret: `isSecret`. */
const FLAG = /^(?:is|has)[A-Z]/;
/** What tells nothing of a secret: whether there is one, and of which type. */
const HARMLESS = /^(?:undefined|null|true|false|-?\d[\w.]*|['"`].*['"`]|typeof\b.*)$/s;

/** Comparisons of what is no secret, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  "src/cli/question/password.ts: password !== (await prompt.password(''))": 'the same person types both',
  'src/cli/mcp/tool/change.ts: input.token !== token': 'a checksum of what the dry run just showed',
  'src/feature/auth/password-rule.ts: confirm !== password': 'the same request brings both',
  'src/store/cache.ts: this.#hashes[slot] === hash': 'a number that places a key in a table',
  'src/database/archive/load.ts: String(digest) === sum.sha256': 'the checksum of a table',
  'src/database/archive/move.ts: String(digest) !== before.get(table.name)?.sha256': 'the checksum of a table',
  'src/database/archive/read-archive.ts: String(digest) !== said.sha256': 'the checksum of a table in a file',
  "src/database/archive/read-archive.ts: upload.sum.digest('') === line.sha256": 'the checksum of an uploaded file',
  "src/database/archive/read-archive.ts: this.#sum.digest('') !== line.sha256": 'the checksum of a backup',
  'src/feature/oauth/client/seeds.ts: wanted.secret_hash === old':
    'two hashes of the operator: of a file and of its row',
  "src/app/migrate.ts: readFileSync(file, '') === digest": 'the checksum of definitions, of a file of this program',
};

/** The text without comments. Strings keep their quotes only, so that nothing in them looks like code. */
const withoutTexts = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1')
    .replace(/'(?:\\.|[^'\\\n])*'/g, "''");

const OPENING = '([{';
const CLOSING = ')]}';

/** The operand before or after an operator: up to a blank, a comma or another operator outside of brackets. */
function readOperand(text: string, start: number, step: 1 | -1): string {
  const [inner, outer] = step === 1 ? [OPENING, CLOSING] : [CLOSING, OPENING];
  let at = start;
  for (let depth = 0; at >= 0 && at < text.length; at += step) {
    const sign = text[at] as string;
    if (inner.includes(sign)) depth += 1;
    else if (outer.includes(sign)) depth -= 1;
    if (depth < 0 || (depth === 0 && /[\s,;:&|!]/.test(sign))) break;
  }
  const operand = step === 1 ? text.slice(start, at) : text.slice(at + 1, start + 1);
  return step === -1 && /\btypeof\s$/.test(text.slice(0, at + 1)) ? `typeof ${operand}` : operand;
}

/** The last name of an operand, or that of the function that it calls: `hash` of `String(row.token.hash)`. */
function toLastName(operand: string): string {
  const called = /([\w$]+)\??\.?\([\s\S]*\)$/.exec(operand)?.[1];
  return called ?? /([\w$]+)[\]!'"]*$/.exec(operand)?.[1] ?? '';
}

/** Whether an operand is a secret, or one of several in brackets is. */
function isSecret(operand: string): boolean {
  const inner = /^(?:String|await)?\s?\((.*)\)$/s.exec(operand)?.[1];
  if (inner !== undefined) return inner.split(/\?\?|\|\||[?:]/).some((part) => isSecret(part.trim()));
  const name = toLastName(operand);
  return SECRET.test(name) && !FLAG.test(name);
}

/** The comparisons of a text by which a secret is guessed, as text. */
function listComparisons(source: string): string[] {
  const text = withoutTexts(source);
  return [...text.matchAll(/\s(?:[!=]==?)\s/g)].flatMap(({ 0: operator, index }) => {
    const left = readOperand(text, index - 1, -1);
    const right = readOperand(text, index + operator.length, 1);
    if (HARMLESS.test(left) || HARMLESS.test(right)) return [];
    if (!isSecret(left) && !isSecret(right)) return [];
    return [`${left} ${operator.trim()} ${right}`.replace(/\s*\n\s*/g, ' ')];
  });
}

const found = listFiles(sourceRoot).flatMap((file) =>
  listComparisons(readFileSync(file, 'utf8')).map((text) => `${toName(file)}: ${text}`),
);

secret('secrets are compared by isSameSecret, which takes the same time for every guess', () => {
  assert.equal(
    found.filter((text) => ALLOWED[text] === undefined),
    [],
  );
});

secret('every allowed comparison is still there', () => {
  assert.equal(
    Object.keys(ALLOWED).filter((text) => !found.includes(text)),
    [],
  );
});

/** The files that compare secrets, and how often: a slip there may have names that tell nothing. */
const COMPARING: Readonly<Record<string, number>> = {
  'src/feature/auth/device.ts': 1,
  'src/feature/auth/provider/flow.ts': 1,
  'src/feature/auth/second-factor/passkey/check.ts': 1,
  'src/feature/oauth/client/proof.ts': 2,
  'src/feature/oauth/consent/dialog-routes.ts': 1,
  'src/feature/oauth/consent/trial.ts': 1,
  'src/feature/oauth/events/rest-source-session-detail.ts': 1,
  'src/feature/oauth/token/exchange.ts': 1,
  'src/app/metrics/metrics.ts': 1,
  'src/app/root-secret.ts': 1,
  'src/http/session/session.ts': 1,
};

secret('no file that compares secrets has begun to compare one in another way', () => {
  const fewer = Object.entries(COMPARING).filter(([name, count]) => {
    const text = withoutTexts(readFileSync(join(packageRoot, name), 'utf8'));
    return [...text.matchAll(/\bisSameSecret\(/g)].length < count;
  });
  assert.equal(fewer, []);
});

/** Slips and their like, with whether the test must name them. */
const SLIPS: readonly [code: string, isNamed: boolean][] = [
  ['return digest(secret) === hashes.now;', true],
  ['return hashes.now === digest(secret);', true],
  ['if (row.secret_hash !== given) return false;', true],
  ["return createHash('sha256').update(verifier).digest('base64url') === code.challenge;", true],
  ['return typeof token === "string" && expected === token;', true],
  ["return expected === '' || (typeof token === 'string' && expected === token);", true],
  ['return String(row.token_hash) === String(hash);', true],
  ['return request.getPost("csrf") === this.formToken(request);', true],
  ['const isSame = given\n    === signature;', true],
  ['return sentMac == mac;', true],
  ['const isNow = given === (hashes.now ?? digest(given));', true],
  ['return given !== (isOld ? hashes.secretHash : none);', true],
  ['return isSameSecret(digest(secret), hashes.now);', false],
  ['return row.secret_hash === null || token !== undefined;', false],
  ["if (typeof token !== 'string' || token === '') return;", false],
  ['return tokens.length === count && tokenKind === kind;', false],
  ["log('token === hash');", false],
  ['// token === hash', false],
];

for (const [code, isNamed] of SLIPS)
  secret(`${isNamed ? 'names' : 'does not name'}: ${code.replace(/\s+/g, ' ')}`, () => {
    assert.is(listComparisons(code).length > 0, isNamed, listComparisons(code).join('; '));
  });

secret.run();
