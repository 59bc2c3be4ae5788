import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describePlan } from '../../../src/store/advice/plan.ts';
import { toPostgresPlan } from '../../../src/store/advice/postgres-plan.ts';
import { type IndexStatistics, toSqlitePlan } from '../../../src/store/advice/sqlite-plan.ts';
import { guessFigures } from '../../../src/store/advice/trial.ts';

const test = suite('store/advice/plan');

const STATISTICS: IndexStatistics = new Map([
  ['a_published', [100_000, 100_000, 50_000]],
  ['a_views', [100_000, 100_000, 1]],
]);

const readLines = (...details: readonly string[]) =>
  toSqlitePlan(
    details.map((detail, id) => ({ id: id + 1, parent: 0, detail })),
    STATISTICS,
    100_000,
  );

const say = (...details: readonly string[]): string => {
  const plan = readLines(...details);
  return plan === undefined ? 'nothing' : describePlan(plan, 'a', true);
};

test('a plan of SQLite is said in words', () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [['SCAN t'], 'reads all 100,000 rows of a'],
    [['SCAN t', 'USE TEMP B-TREE FOR ORDER BY'], 'reads all 100,000 rows of a and sorts them'],
    [['SCAN t USING INDEX a_views'], 'reads up to 100,000 rows of a in the order of a_views'],
    [['SEARCH t USING INDEX a_views (x_active=?)'], 'reads up to 100,000 rows of a in the order of a_views'],
    [
      ['SEARCH t USING INDEX a_published (x_active=? AND x_published=?)', 'USE TEMP B-TREE FOR ORDER BY'],
      'reads about 50,000 rows of a by a_published and sorts them',
    ],
    [
      ['SEARCH t USING COVERING INDEX a_published (x_active=? AND x_published>?)', 'USE TEMP B-TREE FOR ORDER BY'],
      'reads about 25,000 rows of a by a_published and sorts them',
    ],
    [
      ['SEARCH t USING INDEX a_new (x=?)', 'USE TEMP B-TREE FOR LAST TERM OF ORDER BY'],
      'reads rows of a by a_new and sorts them',
    ],
    [['SEARCH t USING INTEGER PRIMARY KEY (rowid=?)'], 'finds rows of a by their key'],
    [['SEARCH j0 USING INTEGER PRIMARY KEY (rowid=?)', 'SCAN w VIRTUAL TABLE INDEX 0:M1'], 'nothing'],
  ];
  for (const [details, expected] of cases) assert.is(say(...details), expected, details.join());
});

test('parts of a page that read few rows do not count', () => {
  const lines = [
    { id: 1, parent: 0, detail: 'MATERIALIZE treadle_start' },
    { id: 2, parent: 1, detail: 'CO-ROUTINE k' },
    { id: 3, parent: 2, detail: 'SCAN t' },
    { id: 4, parent: 0, detail: 'SEARCH t USING INDEX a_published (x_active=? AND x_published=?)' },
  ];
  assert.is(toSqlitePlan(lines, STATISTICS, 100_000)?.index, 'a_published');
});

test('a plan of PostgreSQL is read to the rows of the searched table', () => {
  const sorted = {
    Plan: {
      'Node Type': 'Limit',
      Plans: [
        {
          'Node Type': 'Sort',
          Plans: [
            {
              'Node Type': 'Bitmap Heap Scan',
              'Relation Name': 'a',
              'Plan Rows': 700,
              Plans: [{ 'Node Type': 'Bitmap Index Scan', 'Index Name': 'a_published', 'Plan Rows': 900 }],
            },
          ],
        },
      ],
    },
  };
  assert.equal(toPostgresPlan([sorted], 'a', 1000), {
    way: 'index',
    index: 'a_published',
    rows: 700,
    all: 1000,
    isSorted: true,
  });
  const whole = { Plan: { 'Node Type': 'Seq Scan', 'Relation Name': 'a', 'Plan Rows': 3 } };
  assert.equal(toPostgresPlan([whole], 'a', undefined), {
    way: 'all',
    index: undefined,
    rows: undefined,
    all: undefined,
    isSorted: false,
  });
  assert.is(toPostgresPlan([whole], 'b', 5), undefined);
});

test('the figures of an index that is not there follow from those of its columns', () => {
  const indexes = new Map([
    ['a_published', ['active', 'published']],
    ['a_views', ['active', 'views']],
  ]);
  const guess = (...columns: string[]) => guessFigures(columns, indexes, STATISTICS);
  assert.equal(guess('active', 'published', 'views'), [100_000, 100_000, 50_000, 1]);
  assert.equal(guess('active', 'published', 'uncounted'), [100_000, 100_000, 50_000, 5000]);
  assert.is(guessFigures(['active'], indexes, new Map()), undefined);
});

test.run();
