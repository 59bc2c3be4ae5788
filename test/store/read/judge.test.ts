import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeRows } from '../../../src/store/read/judge.ts';
import { toShop } from './_computed-shop.ts';
import { withWorld } from './_world.ts';

const test = suite('store/read/judge');

const SALE = { sale_id: 1, sale_title: 'A', sale_tax: '0.190', sale_weight: 0.1, sale_active: 1, customer_id: 1 };

for (const stored of [true, false])
  for (const [filter, reached] of [
    [{ sale_double: { gt: 1 } }, [false, true, false]],
    [{ sale_double: { ne: 4 } }, [true, false, true]],
    [{ sale_double: null }, [false, false, true]],
    [{ sale_hint: 'noteA' }, [false, true, false]],
    [{ sale_lines: 0 }, [true, true, true]],
    [{ sale_gross: '0.00' }, [true, true, true]],
  ] as const)
    test(`a row of another time has the ${stored ? 'stored ' : ''}values that follow from its own: ${JSON.stringify(filter)}`, () =>
      withWorld(
        async ({ model, database }) => {
          // Each has values that are computed of what the row is now.
          const now = { sale_double: 0.2, sale_hint: 'A', sale_lines: 3, sale_gross: '9.99' };
          const rows = [
            { ...SALE, ...now },
            { ...SALE, ...now, sale_weight: 2, sale_note: 'note' },
            { ...SALE, ...now, sale_weight: null },
          ];
          const verdicts = await judgeRows({ model, database }, 'sale', rows, { anyOf: [filter] });
          assert.equal(
            verdicts.map((verdict) => verdict !== undefined),
            reached,
          );
        },
        true,
        toShop(stored ? { stored } : {}),
      ));

test.run();
