// The default of a new field fills the rows that are there, whatever its type and whether it is required; the plan says how
// many. Definitions of a time before a rename are told how to rename back.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate, planMigration } from '../../../src/database/migration.ts';
import type { Field } from '../../../src/model/shape.ts';
import type { SchemaSketch } from '../model.ts';
import { readRows, wants, withSite, wordsOf } from './_site.ts';

const test = suite('database/migration/default');

const TITLE: Field = { name: 'title', type: 'text' };
const post = (...fields: Field[]): SchemaSketch => ({ name: 'post', fields });
const ROWS = { post: [{ post_title: 'a' }, { post_title: 'b' }] };
const NOW = Date.UTC(2026, 0, 31, 10);

/** A field, and the value that rows have afterwards. */
const FIELDS: readonly (readonly [field: Omit<Field, 'name'>, value: unknown])[] = [
  [{ type: 'text', default: 'x' }, 'x'],
  [{ type: 'textarea', default: 'x' }, 'x'],
  [{ type: 'number', default: 3 }, 3],
  [{ type: 'float', default: 1.5 }, 1.5],
  [{ type: 'switch', default: 1 }, 1],
  [{ type: 'date', default: '2026-01-31' }, '2026-01-31'],
  [{ type: 'date', default: 'NOW()' }, '2026-01-31'],
  [{ type: 'datetime', default: 'NOW()' }, '2026-01-31 10:00:00'],
  [{ type: 'time', default: 'NOW()' }, '10:00:00'],
  [{ type: 'tag', default: ['a', 'b'] }, ['a', 'b']],
  [{ type: 'textlist', default: ['a'] }, ['a']],
  [{ type: 'multiselect', options: [{ key: 'a', value: 'A' }], default: ['a'] }, ['a']],
  [{ type: 'rawjson', default: { a: 1 } }, { a: 1 }],
];

const decode = (value: unknown): unknown =>
  typeof value === 'string' && /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : value;

for (const [field, value] of FIELDS) {
  for (const required of [false, true]) {
    const told = `${field.type} ${JSON.stringify(field.default)}${required ? ', required' : ''}`;
    test(`fills the rows that are there: ${told}`, () =>
      withSite([post(TITLE)], ROWS, async (database) => {
        const wanted = wants(database, post(TITLE, { ...field, name: 'mood', ...(required ? { required } : {}) }));
        const words = wordsOf(await planMigration(database, wanted, { now: NOW }));
        assert.match(words[0] ?? '', / in 2 rows\.$/);
        await migrate(database, wanted, { now: NOW });
        const rows = (await readRows(database, 'post')).map(({ post_mood }) => decode(post_mood));
        assert.equal(rows, [value, value]);
        assert.equal((await planMigration(database, wanted, { now: NOW })).steps, []);
      }));
  }
}

/** The definitions before, as they are in the database, and again as before; what the advice says of the column or table. */
const BACK: readonly (readonly [before: SchemaSketch, renamed: SchemaSketch, hint: RegExp])[] = [
  [post(TITLE), post({ name: 'headline', type: 'text', was: 'title' }), /"was": "headline" at the field title/],
  [
    post({ ...TITLE, required: true, default: 'x' }),
    post({ name: 'headline', type: 'text', required: true, default: 'x', was: 'title' }),
    /"was": "headline" at the field title/,
  ],
  [post(TITLE), { name: 'entry', was: 'post', fields: [TITLE] }, /"was": "entry" in the schema post/],
];

for (const [before, renamed, hint] of BACK) {
  test(`${renamed.name} ${renamed.fields[0]?.name}: a branch before the rename is told to rename back`, () =>
    withSite([before], ROWS, async (database) => {
      await migrate(database, wants(database, renamed));
      for (const tries of ['before', 'after']) {
        const { problems } = await planMigration(database, wants(database, before));
        const hints = problems.map((problem) => problem.hint ?? '').join('\n');
        assert.match(hints, hint, tries);
        assert.match(hints, 'treadle migrate undo');
        assert.ok(hints.indexOf('allow-loss') > hints.indexOf('"was"'), 'never first');
        await migrate(database, wants(database, before));
      }
      const field = renamed.fields[0]?.name ?? '';
      const fields = before.fields.map((own) => (field === own.name ? own : { ...own, was: field }));
      const back = renamed.name === before.name ? { ...before, fields } : { ...before, was: renamed.name };
      await migrate(database, wants(database, back));
      assert.equal(
        (await readRows(database, 'post')).map(({ post_title }) => post_title),
        ['a', 'b'],
      );
    }));
}

test.run();
