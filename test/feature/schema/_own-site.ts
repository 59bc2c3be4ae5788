import { runAs, SYSTEM } from '../../../src/core/access.ts';
import type { App } from '../../../src/plan/app.ts';
import { boot, type Site } from '../../boot.ts';
import type { Client } from '../../client.ts';

/** Work of a project's own code. */
export type Work = (app: App) => unknown;

interface Lent {
  app?: App;
  work?: Work;
}
const lent: Lent = {};
Object.assign(globalThis, { ownSite: lent });

const CODE = `
  export default function own(app) {
    const { ownSite } = globalThis;
    ownSite.app = app;
    app.get('/do', async (request, response) => {
      try { response.succeed({ value: await ownSite.work(app) }); }
      catch (error) { response.succeed({ code: error.code, status: error.status, detail: error.detail }); }
    });
    app.on('system-model-create', (request, response) => {
      if (request.getStage('stock_title') === 'vetoed') response.refuse({ status: 422, message: 'Vetoed' });
    });
  }
`;

/** Rows that are imported are written one by one where a listener hears of each. */
const HEARING = `
  export default function hearing(app) {
    const { ownSite } = globalThis;
    app.after('system-model-update', { schema: 'stock' }, (request, response) => {
      if (request.getStage('stock_title') === 'taken back') response.refuse({ status: 422, message: 'Taken back' });
    });
    for (const verb of ['create', 'update'])
      app.after('system-model-' + verb, { schema: 'stock' }, () => { ownSite[verb] = (ownSite[verb] ?? 0) + 1; });
  }
`;

const stock = {
  name: 'stock',
  singular: 'Stock',
  plural: 'Stocks',
  history: true,
  fields: [
    { name: 'code', type: 'text', unique: true, filterable: true },
    { name: 'title', type: 'text', searchable: true, filterable: true, sortable: true },
    { name: 'hits', type: 'number', filterable: true, default: 10 },
    { name: 'size', type: 'float', sortable: true },
    { name: 'note', type: 'meta', sortable: true, filterable: true },
    { name: 'mail', type: 'email', unique: true },
    { name: 'active', type: 'active' },
    { name: 'updated', type: 'updated' },
  ],
};
const place = {
  name: 'place',
  singular: 'Place',
  plural: 'Places',
  fields: [
    { name: 'row', type: 'number', filterable: true },
    { name: 'guest', type: 'text', filterable: true },
  ],
  relations: [{ schema: 'stock', kind: '1:1' }],
  unique: [{ columns: ['stock_id', 'place_row'] }],
};
const desk = {
  name: 'desk',
  singular: 'Desk',
  plural: 'Desks',
  fields: [
    { name: 'name', type: 'text', required: true },
    { name: 'tidy', type: 'switch' },
    { name: 'code', type: 'password' },
  ],
  relations: [{ schema: 'profile', kind: '1:1' }],
  unique: [{ columns: ['profile_id', 'desk_name'] }],
};
const fee = {
  name: 'fee',
  singular: 'Fee',
  plural: 'Fees',
  fields: [
    { name: 'amount', type: 'decimal', precision: 8, scale: 2, unique: true },
    { name: 'note', type: 'text' },
    { name: 'kind', type: 'text' },
    { name: 'rate', type: 'decimal', precision: 8, scale: 3 },
    { name: 'twice', type: 'computed', expression: 'amount * 2', stored: true, unique: true },
  ],
  unique: [{ columns: ['fee_kind', 'fee_rate'] }],
};
const card = {
  name: 'card',
  singular: 'Card',
  plural: 'Cards',
  fields: [
    { name: 'code', type: 'text', unique: true },
    { name: 'label', type: 'computed', expression: "concat(code, '!')", stored: true, unique: true },
  ],
};
const role = (slug: string, data: object) => ({ slug, name: slug, permissions: [], data });
const shown = { filter: { stock_title: { ne: 'hidden' } } };
const clerk = {
  stock: { search: shown, detail: shown, update: shown, create: { filter: { stock_hits: { lt: 100 } } } },
  place: { search: true, detail: { read: ['*', '-place_row'] }, create: true, update: true },
};

/** A small project whose code does what {@link ask} gives it. @param hears True if it hears of each write of a stock. */
export const bootOwn = (hears: boolean): Promise<Site> =>
  boot({
    template: 'none',
    files: {
      'config/schema/stock.json': stock,
      'config/schema/place.json': place,
      'config/schema/desk.json': desk,
      'config/schema/fee.json': fee,
      'config/schema/card.json': card,
      'config/schema/profile.json': {
        name: 'profile',
        singular: 'Profile',
        plural: 'Profiles',
        fields: [{ name: 'name', type: 'text', required: true }],
      },
      'config/role/guest.json': role('guest', { stock: { search: { filter: { stock_title: 'open' } } } }),
      'config/role/clerk.json': role('clerk', clerk),
      'app/www/src/own.ts': CODE,
      'app/www/src/hearing.ts': HEARING,
      'app/www/.treadle.ts': `import own from './src/own';\nimport hearing from './src/hearing';\nexport default [own${hears ? ', hearing' : ''}];\n`,
    },
  });

/** How often a listener after a create or an update ran. */
export const countRuns = (verb: 'create' | 'update'): number => (lent as Record<string, unknown>)[verb] as number;

/** Does work as the system; the result, or the error's code, status and detail. */
export const asOwner = async (work: Work): Promise<unknown> => runAs(SYSTEM, () => work(lent.app as App));

export const toFault = async (promise: Promise<unknown>): Promise<string> => {
  try {
    return `none: ${JSON.stringify(await promise)}`;
  } catch (error) {
    const { code, status, message, hint } = error as { code?: string; status?: number; message: string; hint?: string };
    return `${code} ${status ?? ''} ${message} ${hint ?? ''}`;
  }
};

/** Does work in a request of a person. */
export async function ask(client: Client, work: Work): Promise<Record<string, unknown>> {
  lent.work = work;
  const answer = await client.get('/do');
  return (answer.json() as { results: Record<string, unknown> }).results;
}
