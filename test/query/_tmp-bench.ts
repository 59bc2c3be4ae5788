import sqlite3 from 'sqlite3';
import { mkdtemp } from 'node:fs/promises';
import { openDatabase } from '/work/main/src/database/open.ts';
import { migrate } from '/work/main/src/database/migration.ts';
import { toTables } from '/work/main/src/database/table.ts';
import { silentLog } from '/work/main/src/core/log.ts';
import { toModel, clock, at } from '/work/main/test/query/_world.ts';
import { createSearcher } from '/work/main/src/query/searcher.ts';
const root = await mkdtemp('/tmp/sb-');
const database = await openDatabase({ url: 'sqlite:app.db', root, log: silentLog, clock });
const model = toModel();
await migrate(database, toTables(model, [], { dialect: 'sqlite' }));
await database.write(async () => {
  for (let i = 0; i < 10000; i++) await database.kysely.insertInto('article').values({ article_title: 'Title ' + i, article_detail: 'word '.repeat(100), article_published: at(-((i * 7919) % 10000)), article_active: 1, article_rank: i % 10 }).execute();
  await database.kysely.insertInto('profile').values({ profile_name: 'Ann', profile_active: 1 }).execute();
  for (let i = 0; i < 20; i++) await database.kysely.insertInto('comment').values({ comment_detail: 'c' + i, profile_id: 1, article_id: 5, comment_active: 1 }).execute();
});
const searcher = createSearcher(model);
const sql: string[] = [];
const spy = Object.create(database); spy.run = (q: any, p: any) => { sql.push(q.sql); return database.run(q, p); };
await searcher.search(spy, 'article', { sort: '-article_published', limit: '20' });
await searcher.detail(spy, 'article', { column: 'article_id', value: '5' }, { relations: ['comment'] });
console.log(sql.join('\n'));
const bare = new sqlite3.Database(root + '/app.db');
const plan = await new Promise((r) => bare.all('explain query plan ' + sql[0], [21, 0], (e, rows) => r(rows)));
console.log(plan);
const prep = (s: string) => new Promise<any>((r, j) => { const st = bare.prepare(s, (e: any) => e ? j(e) : r(st)); });
const rowsSt = await prep(sql[0]); const countSt = await prep(sql[1]); const dSt = await prep(sql[2]); const cSt = await prep(sql[3]);
const all = (st: any, p: any[]) => new Promise<any>((r, j) => st.all(p, (e: any, rows: any) => e ? j(e) : r(rows)));
async function time(label: string, fn: () => Promise<unknown>, n: number, width: number) {
  const start = performance.now();
  await Promise.all(Array.from({ length: width }, async () => { for (let i = 0; i < n / width; i++) await fn(); }));
  const perSecond = n / ((performance.now() - start) / 1000);
  console.log(label, width, Math.round(perSecond) + '/s'); return perSecond;
}

const q = (i: number) => ({ sql: sql[i], parameters: [], query: {} }) as any;
for (let phase = 0; phase < 2; phase++) {
  if (phase === 1) { await database.write(async () => { await (await import('kysely')).sql.raw('create index ap on article (article_published) where article_active = 1').execute(database.kysely); }); console.log('--- partial index'); }
  const rowsSt = await prep(sql[0]); const countSt = await prep(sql[1]);
  const acc: Record<string, number> = {};
  for (let i = 0; i < 150; i++) {
    for (const [k, fn] of [['bareRows', () => all(rowsSt, [20, 0])], ['rows', () => database.run(q(0), [20, 0])], ['bareCount', () => all(countSt, [])], ['count', () => database.run(q(1), [])], ['bareBoth', () => Promise.all([all(rowsSt, [20, 0]), all(countSt, [])])], ['searcher', () => searcher.search(database, 'article', { sort: '-article_published', limit: '20' })]] as any) {
      const t = performance.now(); await fn(); acc[k] = (acc[k] ?? 0) + performance.now() - t;
    }
  }
  for (const k in acc) console.log(k, (acc[k]! / 150).toFixed(2), 'ms');
}
// overhead with a fake database
const fake = Object.create(database); fake.run = async (q: any) => [];
await time('parse+bind only', () => searcher.search(fake, 'article', { sort: '-article_published', limit: '20' }), 100000, 1);
await database.close();
