import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../src/database/row-statement.ts';
import { boot, type Site } from '../boot.ts';
import { writeRules } from '../feature/role/_site.ts';
import type { Project } from '../project.ts';

/** Who sees what is computed of rows that a role hides, in whatever way it is shown. Also on PostgreSQL. */
const test = suite('who sees computed values');
const world: { site?: Site } = {};
const site = (): Site => world.site as Site;

const flags = { filterable: true, sortable: true };
const text = (name: string): object => ({ name, type: 'text', ...flags });
const computed = (name: string, expression: string, more: object = {}): object => ({
  ...{ name, type: 'computed', expression },
  ...flags,
  ...more,
});
const SALE = [
  computed('net', 'line.sum(amount)', { stored: true }),
  computed('live', 'line.sum(amount)'),
  computed('lines', 'line.count'),
  computed('all', 'line.count', { stored: true }),
  computed('margin', 'line.count * 7', { private: true, stored: true }),
  computed('twice', 'margin * 2', { stored: true }),
];

function change(project: Project): void {
  const write = (name: string, fields: readonly object[], to?: string): void =>
    project.write(`config/schema/${name}.json`, {
      ...{ name, singular: name, plural: name, fields },
      ...(to === undefined ? {} : { relations: [{ schema: to, kind: '1:1' }] }),
    });
  write('sale', [text('title'), ...SALE]);
  write('line', [text('title'), { name: 'amount', type: 'number', ...flags }], 'sale');
  write('payment', [text('title')], 'sale');
  write('refund', [text('title')], 'payment');
  const seen = { filter: { line_title: 'seen' }, read: ['title'] };
  const all = { search: true, detail: true, create: true, update: true };
  writeRules(project, {
    guest: { sale: all, payment: all, refund: all },
    // The lines of each role differ, and nothing else.
    part: { line: { search: seen, detail: seen } },
    whole: { line: { search: true, detail: true } },
    none: { line: {} },
  });
  project.addController(
    'door',
    `export default function door(app) {
      app.all('/door/:door', async (request, response) => {
        const event = request.getStage('door');
        request.removeStage('door');
        for (const name of ['group', 'sum'])
          if (request.getGet(name) !== undefined) request.setStage(name, request.getGet(name));
        await app.emit(event, request, response);
      });
    }\n`,
  );
}

test.before(async () => {
  world.site = await boot({ template: 'blog', change });
  await site().emit('system-model-create', { schema: 'sale', sale_title: 'A' });
  for (const [line_title, line_amount] of [
    ['seen', 5],
    ['other', 100],
  ])
    await site().emit('system-model-create', { schema: 'line', line_title, line_amount, sale_id: 1 });
  await site().emit('system-model-create', { schema: 'payment', payment_title: 'P', sale_id: 1 });
  await site().emit('system-model-create', { schema: 'refund', refund_title: 'R', payment_id: 1 });
});
test.after(() => site().close());

interface Told {
  readonly status: number;
  readonly row: Row;
}

/** The first row of an answer as a person of a role gets it. */
async function visit(role: string, path: string, form?: Record<string, string>): Promise<Told> {
  const person = await site().as(role, [role]);
  const at = `/door/system-model-${path}`;
  const { status, text: body } = form === undefined ? await person.get(at) : await person.send('POST', at, { form });
  // A page says what it refuses as a page.
  if (status === 400) return { status, row: {} };
  const { results } = JSON.parse(body) as { results?: Row };
  return { status, row: (results?.rows as Row[] | undefined)?.[0] ?? results ?? {} };
}
const values = (row: Row): unknown[] =>
  ['net', 'live', 'lines', 'all', 'margin', 'twice'].map((name) => row[`sale_${name}`]);

/** What each role sees: the stored sum only with every amount; what only Treadle may see hides all that names it. */
const SEEN: Readonly<Record<string, readonly unknown[]>> = {
  whole: [105, 105, 2, 2, undefined, undefined],
  part: [undefined, undefined, 1, 2, undefined, undefined],
  none: [undefined, 0, 0, 2, undefined, undefined],
};

// Twice: what one role has read tells the next nothing.
for (const role of ['whole', 'part', 'none', 'whole', 'none', 'part']) {
  test(`each way to read a sale shows the same to ${role}`, async () => {
    for (const path of [
      'search?schema=sale',
      'detail?schema=sale&sale_id=1',
      'search?schema=payment',
      'detail?schema=payment&payment_id=1',
    ])
      assert.equal(values((await visit(role, path)).row), SEEN[role], path);
  });

  test(`the answers to writes show the same to ${role}`, async () => {
    const created = await visit(role, 'create', { schema: 'payment', payment_title: 'New', sale_id: '1' });
    assert.equal(values(created.row), SEEN[role]);
    for (const [schema, key, name] of [
      ['sale', 'sale_id', 'sale_title'],
      ['payment', 'payment_id', 'payment_title'],
    ] as const) {
      const form = { schema, [key]: '1', [name]: `By ${role}` };
      const { row } = await visit(role, 'update', form);
      assert.equal(values(row), SEEN[role], schema);
      if (row.original !== undefined) assert.equal(values(row.original as Row), SEEN[role], `${schema} before`);
    }
  });

  test(`no filter, sort or sum tells ${role} more`, async () => {
    const isOpen = role === 'whole';
    for (const path of [
      'search?schema=sale&filter[sale_net][gt]=104',
      'search?schema=sale&sort=sale_net',
      'search?schema=sale&sum=sale_net',
      'search?schema=sale&group=sale_net',
      'search?schema=payment&filter[sale_net][gt]=104',
      'search?schema=payment&filter[sale.sale_net][gt]=104',
      'search?schema=refund&filter[payment.sale_net][gt]=104',
    ]) {
      // A column that is no filter for anybody is refused for everybody.
      const isThere = !path.includes('payment.sale_net');
      assert.is((await visit(role, path)).status, isOpen && isThere ? 200 : 400, path);
    }
    for (const path of ['filter[sale_twice]=28', 'filter[sale_margin]=14', 'sort=sale_twice'])
      assert.is((await visit(role, `search?schema=sale&${path}`)).status, 400, path);
  });
}

test.run();
