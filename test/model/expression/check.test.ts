import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { evaluate, type Value } from '../../../src/model/expression/evaluate.ts';
import { ExpressionError } from '../../../src/model/expression/token.ts';
import { printType } from '../../../src/model/expression/tree.ts';
import { checkOfThing } from '../../database/expression/_expression-world.ts';

const check = suite('model/expression/check');

const ROW: Readonly<Record<string, Value>> = {
  ...{
    thing_stock: 7n,
    thing_views: -3n,
    thing_cost: 1250n,
    thing_rate: 133_333n,
    thing_weight: 0.1,
    thing_level: 1e131,
  },
  ...{
    thing_title: 'Grüße',
    thing_code: null,
    thing_open: 1n,
    thing_day: '2024-02-29',
    thing_made: '2024-03-01 10:00:00',
  },
};
const compute = (text: string): Value =>
  evaluate(checkOfThing(text), { read: (column) => ROW[column] ?? null, related: () => [] });

const TYPES: readonly (readonly [text: string, type: string])[] = [
  ['stock', 'whole number'],
  ['cost', 'decimal of scale 2'],
  ['cost * rate', 'decimal of scale 7'],
  ['cost + rate', 'decimal of scale 5'],
  ['cost / 2', 'number'],
  ['stock / 2', 'number'],
  ['round(cost / 2, 2)', 'decimal of scale 2'],
  ['round(cost)', 'whole number'],
  ['stock % 3', 'whole number'],
  ['weight * stock', 'number'],
  ['cost > 10 and not open', 'flag'],
  ["if(open, 'yes', null)", 'text'],
  ['coalesce(code, title)', 'text'],
  ['concat(title, stock, cost)', 'text'],
  ['max(day, day)', 'date'],
  ['coalesce(made, made)', 'moment'],
  ['days(day, made)', 'whole number'],
  ['line.count', 'whole number'],
  ['line.sum(amount)', 'decimal of scale 2'],
];

check('the type follows from the expression', () => {
  for (const [text, type] of TYPES) assert.is(printType(checkOfThing(text).type), type, text);
});

const VALUES: readonly (readonly [text: string, value: Value])[] = [
  ['stock + views * 2', 1n],
  ['(stock + views) * 2', 8n],
  ['-stock % 3', -1n],
  ['stock / 0', null],
  ['stock % 0', null],
  ['cost * stock', 8750n],
  ['round(cost / 4, 1)', 31n],
  ['round(0 - cost, 0)', -13n],
  ['round(2.5)', 3n],
  ['floor(-2.5)', -3n],
  ['ceil(-2.5)', -2n],
  ['abs(views)', 3n],
  ['999999999999999 + 0', 999_999_999_999_999n],
  ['999999999999999 + 1', null],
  ['level * level', null],
  ['code', null],
  ["concat(code, title, ' ', cost, ' ', day)", 'Grüße 12.50 2024-02-29'],
  ['concat(code, code)', null],
  ['length(title)', 5n],
  ["title = 'Grüße'", 1n],
  ["'B' < 'a'", 1n],
  ["'it''s'", "it's"],
  ['open = 1', 1n],
  ['code = title', null],
  ['code = title and false', 0n],
  ['code = title or true', 1n],
  ['if(code = title, 1, 2)', 2n],
  ['min(stock, null, 3)', 3n],
  ["day < '2024-03-01'", 1n],
  ['days(day, made)', 1n],
  ['year(day) * 10000 + month(day) * 100 + day(day)', 20_240_229n],
  ['coalesce(code, title)', 'Grüße'],
  ['cost = 12.5', 1n],
];

check('an expression has one value', () => {
  for (const [text, value] of VALUES) assert.is(compute(text), value, text);
});

const ERRORS: readonly (readonly [text: string, at: number, message: RegExp, hint: RegExp])[] = [
  ['', 1, /ends where a value/, /Write a field/],
  ['stok + 1', 1, /no field "stok"/, /Did you mean "stock"|thing_stock/],
  ['cost + titel', 8, /no field "titel"/, /./],
  ["cost + 'x'", 8, /takes numbers, and this is a text/, /length/],
  ['cost == 1', 6, /"=="/, /single "="/],
  ['a && b', 3, /"&"/, /Write `and`/],
  ['"x"', 1, /^A double quote is not part/, /single quotes/],
  ["'x", 1, /not closed/, /single quote/],
  ['(cost', 6, /"\)" must follow/, /Close/],
  ['cost cost', 6, /could end/, /operator/],
  ['1 < cost < 3', 10, /could end/, /`and`/],
  ['sume(cost)', 1, /no function "sume"/, /./],
  ['round(cost, stock)', 13, /how many digits/, /round\(x, 2\)/],
  ['if(cost, 1, 2)', 4, /takes a test/, /comparison/],
  ['if(open, 1)', 1, /takes 3 values, not 2/, /if\(test, a, b\)/],
  ["if(open, 1, 'a')", 13, /one type, not whole number and text/, /concat/],
  ['cost = null', 6, /never true/, /coalesce/],
  ['null', 1, /always empty/, /besides null/],
  ['line', 1, /is a relation/, /line.count/],
  ['lines.count', 1, /no relation "lines"/, /Did you mean "line"/],
  ['line.average(amount)', 6, /says nothing/, /line.sum/],
  ['rate * rate * rate * rate', 20, /20 digits after the point/, /Round/],
  ['1234567890123456', 1, /more than 15 digits/, /fewer/],
  ["day > '2024-13-01'", 7, /is not a date/, /2026-01-31/],
  ['concat(weight)', 8, /concat takes/, /Round it/],
  [`${'('.repeat(50)}1${')'.repeat(50)}`, 41, /more than 40 deep/, /another computed/],
  [Array.from({ length: 400 }, () => 'stock').join('+'), 1, /./, /simpler|another computed/],
  ['x'.repeat(2001), 2001, /at most 2000/, /another/],
];

check('an error says where, what and the remedy', () => {
  for (const [text, at, message, hint] of ERRORS) {
    try {
      checkOfThing(text);
      assert.unreachable(text);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      assert.match(error.message, message, text);
      assert.match(error.hint, hint, text);
      if (at > 1 || text.length < 100) assert.is(error.at, at, text);
    }
  }
});

check.run();
