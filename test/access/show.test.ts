import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findVisibleColumns } from '../../src/access/show.ts';
import { createAccess, type Grant, WHOLE } from '../../src/core/access.ts';
import type { SchemaModel } from '../../src/model/model.ts';
import { toShop } from '../store/read/_computed-shop.ts';
import { withWorld } from '../store/read/_world.ts';

const test = suite('access/show');

const NAMES = ['sale_title', 'sale_net', 'sale_gross', 'sale_lines', 'sale_points'];

for (const [words, lines, shown] of [
  ['every line', WHOLE, NAMES],
  [
    'lines without their amounts',
    { read: new Set(['line_id', 'line_count']) },
    ['sale_title', 'sale_lines', 'sale_points'],
  ],
  ['no line', undefined, ['sale_title', 'sale_lines', 'sale_points']],
] as readonly (readonly [string, Grant | undefined, readonly string[]])[])
  test(`a row that no search reads hides the stored sums of what is hidden from who sees ${words}`, () =>
    withWorld(
      async ({ model, database }) => {
        const related = (schema: string): Grant | undefined => (schema === 'line' ? lines : WHOLE);
        const access = { ...createAccess({ kind: 'page' }), grant: () => WHOLE, related };
        const sale = model.schemas.get('sale') as SchemaModel;
        const [columns] = await findVisibleColumns({ model, database }, access, sale, [{ sale_id: 1 }]);
        assert.equal(
          NAMES.filter((name) => columns?.has(name)),
          shown,
        );
      },
      true,
      toShop({ stored: true }),
    ));

test.run();
