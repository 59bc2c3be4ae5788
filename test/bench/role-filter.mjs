// Paired: a search that a role's filter narrows, against the same search with the filter in the query.
// Usage: node --import tsx test/bench/role-filter.mjs [rounds]. Prints the median time of each and the median of the pairs' ratios.
import process from 'node:process';
import { startBlog } from '../e2e/_setup.ts';
import { writeRoles } from '../feature/role/_site.ts';

const ROUNDS = Number(process.argv[2] ?? 400);
const filter = { article_published: { gte: '2026-01-15 00:00:00' } };
const start = async (roles) => {
  const site = await startBlog(async (root) => writeRoles(root, roles), { mode: 'test' });
  const rows = Array.from({ length: 2000 }, (_, index) => ({
    title: `Article ${index}`,
    detail: '<p>Text</p>',
    published: `2026-01-${String(1 + (index % 28)).padStart(2, '0')} 00:00:00`,
  }));
  await site.app.emit('system-model-import', { schema: 'article', rows });
  return site;
};
const data = { article: { search: { filter }, detail: true } };
const [plain, ruled] = [await start([]), await start([{ slug: 'guest', permissions: [], data }])];
const QUERY = '/rest/public/article/search?limit=20';
const WRITTEN = `${QUERY}&filter%5Barticle_published%5D%5Bgte%5D=2026-01-15%2000:00:00`;
const time = async (url) => {
  const begun = performance.now();
  const answer = await fetch(url);
  await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${url}`);
  return performance.now() - begun;
};
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const seen = { written: [], ruled: [], ratio: [] };
for (let round = 0; round < ROUNDS + 50; round += 1) {
  // The order changes from pair to pair.
  const isFirst = round % 2 === 0;
  const a = isFirst ? await time(plain.url + WRITTEN) : undefined;
  const b = await time(ruled.url + QUERY);
  const written = a ?? (await time(plain.url + WRITTEN));
  if (round < 50) continue;
  seen.written.push(written);
  seen.ruled.push(b);
  seen.ratio.push(b / written);
}
process.stdout.write(
  `in the query ${median(seen.written).toFixed(3)} ms, by the role ${median(seen.ruled).toFixed(3)} ms, ratio of pairs ${median(seen.ratio).toFixed(3)}\n`,
);
await plain.close();
await ruled.close();
