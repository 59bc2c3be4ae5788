import { CompiledQuery } from 'kysely';
import type { Row } from '../../../src/database/row-statement.ts';
import { type BootOptions, boot, type Site, until } from '../../boot.ts';
import { DIALECT, SERVER } from '../../database/_where.ts';

const ROWS = 3000;

export const PAPER = {
  name: 'paper',
  singular: 'Paper',
  plural: 'Papers',
  fields: [
    { name: 'title', type: 'text', searchable: true, sortable: true, filterable: true },
    { name: 'published', type: 'switch', filterable: true },
    { name: 'views', type: 'number', filterable: true, sortable: true },
    { name: 'active', type: 'active' },
    { name: 'created', type: 'created', sortable: true },
  ],
};

const LIST = {
  title: 'Papers',
  description: 'Lists papers',
  access: 'public',
  method: 'get',
  path: '/public/paper/search',
  event: 'system-model-search',
  parameters: { schema: 'paper' },
  open: true,
};

/** What the search of {@link bootMany}'s rows is called that needs an index. */
export const SEARCH = 'paper filter[paper_published]=… filter[paper_views][gt]=… sort=-paper_views';
const QUERY = 'filter[paper_published]=1&filter[paper_views][gt]=4711&sort=-paper_views&total=0';

/** A site with 3,000 rows of which most are published, that keeps every search. */
export async function bootMany({ files = {}, settings = {}, ...options }: BootOptions = {}): Promise<Site> {
  const site = await boot({
    ...options,
    files: { 'config/schema/paper.json': PAPER, 'config/rest/paper-search.json': LIST, ...files },
    settings: {
      limits: { slowMilliseconds: 0 },
      // A database in memory has one connection, whose reads are not measured.
      ...(SERVER === undefined ? { database: { url: 'sqlite:var/app.db' } } : {}),
      ...settings,
    },
  });
  const { database, slowReads } = site.app.services;
  const numbers =
    DIALECT === 'sqlite'
      ? `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS}) select i from n`
      : `select i from generate_series(1, ${ROWS}) as g(i)`;
  const columns = 'paper_title, paper_published, paper_views, paper_active, paper_created';
  const values = `'Private ' || i, case when i % 10 < 7 then 1 else 0 end, (i * 7919) % 100000, 1, '2026-01-02 03:04:05'`;
  await database.run(CompiledQuery.raw(`insert into paper (${columns}) select ${values} from (${numbers}) as n`));
  await database.run(CompiledQuery.raw('analyze'));
  // Workers begin soon after the start.
  await until(() => (slowReads.least < 100 ? true : undefined));
  return site;
}

export const askSlowly = (site: Site, query = QUERY) => site.get(`/rest/public/paper/search?${query}`);

/** What is stored of the searches of the schema, by their words. */
export async function listSlow(site: Site): Promise<Map<string, Row>> {
  const rows = (await site.emit('slow-search')).getResults('rows') as Row[];
  return new Map(rows.filter(({ schema }) => schema === 'paper').map((row) => [String(row.search), row]));
}
