// A relation that changes its kind carries its links, or the migration is refused with the way: none vanishes from the site.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../src/database/database.ts';
import { migrate, planMigration } from '../../../src/database/migration.ts';
import { isBlocked } from '../../../src/database/migration-step.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import type { Relation } from '../../../src/model/shape.ts';
import type { SchemaSketch } from '../model.ts';
import { readRows, wants, withEmpty } from './_site.ts';

const test = suite('database/migration/link-change');

type Kind = Relation['kind'];
type Links = readonly (readonly [post: number, tag: number])[];

const TITLE = { name: 'title', type: 'text' } as const;
const site = (kind: Kind): SchemaSketch[] => [
  { name: 'tag', fields: [TITLE] },
  { name: 'post', fields: [TITLE], relations: [{ schema: 'tag', kind }] },
];

/** Where each kind keeps the links of a post and its tags. */
const PLACES: Readonly<Record<Kind, { readonly table: string; readonly post: string; readonly tag: string }>> = {
  '1:1': { table: 'post', post: 'post_id', tag: 'tag_id' },
  '1:0': { table: 'post', post: 'post_id', tag: 'tag_id' },
  '1:N': { table: 'tag', post: 'post_id', tag: 'tag_id' },
  'N:N': { table: 'post_tag', post: 'post_id', tag: 'tag_id' },
};

const IDS = [1, 2, 3];

async function fill({ kysely }: Database, kind: Kind, links: Links): Promise<void> {
  const find = (at: 0 | 1, id: number): number | null =>
    links.find((link) => link[at] === id)?.[at === 0 ? 1 : 0] ?? null;
  const [isOfPost, isOfTag] = [kind === '1:1' || kind === '1:0', kind === '1:N'];
  const posts = IDS.map(
    (id): Row => ({ post_id: id, post_title: `p${id}`, ...(isOfPost ? { tag_id: find(0, id) } : {}) }),
  );
  const tags = IDS.map(
    (id): Row => ({ tag_id: id, tag_title: `t${id}`, ...(isOfTag ? { post_id: find(1, id) } : {}) }),
  );
  const isLater = kind === '1:N';
  if (isLater) await kysely.insertInto('post').values(posts).execute();
  await kysely.insertInto('tag').values(tags).execute();
  if (!isLater) await kysely.insertInto('post').values(posts).execute();
  if (kind === 'N:N')
    await kysely
      .insertInto('post_tag')
      .values(links.map(([post_id, tag_id]) => ({ post_id, tag_id })))
      .execute();
}

async function readLinks(database: Database, kind: Kind): Promise<number[][]> {
  const { table, post, tag } = PLACES[kind];
  const rows = await readRows(database, table);
  const links = rows.map((row) => [row[post], row[tag]]).filter((link) => !link.includes(null));
  return links.map((link) => link.map(Number)).sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d);
}

/** Each post and each tag once; tags with several posts; posts with several tags. */
const LINKS: Readonly<Record<string, Links>> = {
  single: [
    [1, 3],
    [2, 1],
    [3, 2],
  ],
  'of one tag': [
    [1, 2],
    [2, 2],
    [3, 2],
  ],
  'of one post': [
    [1, 1],
    [1, 2],
    [1, 3],
  ],
};

/** The links that a kind can hold. */
const HOLDS: Readonly<Record<Kind, readonly string[]>> = {
  '1:1': ['single', 'of one tag'],
  '1:0': ['single', 'of one tag'],
  '1:N': ['single', 'of one post'],
  'N:N': ['single', 'of one tag', 'of one post'],
};
const KINDS = Object.keys(HOLDS) as Kind[];

for (const before of KINDS) {
  for (const after of KINDS.filter((kind) => kind !== before)) {
    for (const name of HOLDS[before]) {
      const isStill = PLACES[before].table === PLACES[after].table;
      const isCarried = isStill || (after !== '1:1' && HOLDS[after].includes(name));
      const links = LINKS[name] ?? [];
      test(`${before} becomes ${after}, links ${name}: ${isCarried ? 'carried' : 'refused'}`, () =>
        withEmpty(async (database) => {
          await migrate(database, wants(database, ...site(before)));
          await fill(database, before, links);
          const wanted = wants(database, ...site(after));
          const plan = await planMigration(database, wanted);
          await migrate(database, wanted);
          assert.is(isBlocked(plan), !isCarried);
          assert.equal(
            await readLinks(database, isCarried ? after : before),
            links.map((link) => [...link]),
          );
          if (isCarried) return;
          const refusal = plan.steps.find(({ refusal: found }) => found?.code === 'MIGRATION_LINKS_LOST');
          assert.is(refusal?.class, 'lose', 'exit code 3');
          assert.match(refusal?.refusal?.message ?? '', 'The relation post.tag becomes of another kind');
          assert.ok((refusal?.refusal?.hint ?? '').indexOf('allow-loss') > 40, 'never first');
        }));
    }
  }
}

test('without links nothing is in the way; what is left of a former kind does not come back', () =>
  withEmpty(async (database) => {
    await migrate(database, wants(database, ...site('1:0')));
    await fill(database, '1:0', LINKS.single ?? []);
    await migrate(database, wants(database, ...site('N:N')));
    await database.kysely.deleteFrom('post_tag').where('post_id', '=', 1).execute();
    const back = await planMigration(database, wants(database, ...site('1:0')));
    assert.is(isBlocked(back), true, 'the column has the links of before');
    assert.match(back.problems.map(({ message }) => message).join(' '), 'post.tag_id holds 3 links of another time');
    const later = wants(database, ...site('N:N'));
    await migrate(database, later, { allowLoss: true });
    await migrate(database, wants(database, ...site('1:0')));
    assert.equal(await readLinks(database, '1:0'), [
      [2, 1],
      [3, 2],
    ]);
  }));

test.run();
