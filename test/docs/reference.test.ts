import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listCodes, listOutdated, readMeanings } from '../../docs/generate.ts';

const reference = suite('docs/reference');

reference('every error code of the source has a meaning, and no other', () => {
  const meanings = readMeanings();
  const codes = listCodes();
  assert.ok(codes.length > 100);
  const known = Object.keys(meanings);
  assert.equal(
    codes.filter((code) => !known.includes(code)),
    [],
    'a code of src/ has no meaning in docs/errors.json (or is none: see NO_CODE in docs/generate.ts)',
  );
  assert.equal(
    known.filter((code) => !codes.includes(code)),
    [],
    'docs/errors.json has a code that src/ has not',
  );
  assert.equal(known, codes, 'docs/errors.json is sorted');
  const wrong = Object.entries(meanings).filter(([, text]) => !/^\S.*[.]$/.test(text));
  assert.equal(wrong, []);
});

reference('the committed pages are those that the source makes: npm run docs', async () => {
  assert.equal(await listOutdated(), []);
});

reference.run();
