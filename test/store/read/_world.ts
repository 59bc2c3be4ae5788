import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, toStamp } from '../../../src/core/clock.ts';
import type { Database } from '../../../src/database/database.ts';
import { migrate } from '../../../src/database/migration.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { createTables } from '../../../src/database/table.ts';
import { getWordTarget, writeWords } from '../../../src/database/words/word-table.ts';
import type { Model } from '../../../src/model/model.ts';
import { openPlaced } from '../../database/_where.ts';
import { linkSchemas } from '../../database/model.ts';

export const NOW = Date.UTC(2026, 0, 31, 12);
export const clock: Clock = { now: () => NOW, after: () => () => undefined };

const flags = (...names: string[]) => Object.fromEntries(names.map((name) => [name, true]));
const special = [
  { name: 'active', type: 'active' },
  { name: 'created', type: 'created', sortable: true },
  { name: 'updated', type: 'updated' },
];

const BLOG = [
  {
    name: 'profile',
    singular: 'Profile',
    plural: 'Profiles',
    fields: [
      { name: 'name', type: 'text', ...flags('required', 'searchable', 'sortable', 'filterable') },
      { name: 'email', type: 'email', unique: true },
      { name: 'secret', type: 'password' },
      ...special,
    ],
  },
  {
    name: 'article',
    singular: 'Article',
    plural: 'Articles',
    fields: [
      {
        name: 'title',
        type: 'text',
        ...flags('searchable', 'sortable', 'filterable'),
        validation: [{ method: 'required', message: 'Title is required' }],
      },
      { name: 'slug', type: 'slug', unique: true, filterable: true },
      { name: 'detail', type: 'wysiwyg', searchable: true },
      { name: 'published', type: 'datetime', ...flags('sortable', 'filterable'), default: 'NOW()' },
      { name: 'rank', type: 'number', ...flags('sortable', 'filterable') },
      { name: 'tags', type: 'tag', filterable: true },
      ...special,
    ],
    relations: [
      { schema: 'profile', kind: '1:0' },
      { schema: 'comment', kind: '1:N' },
      { schema: 'topic', kind: 'N:N' },
    ],
  },
  {
    name: 'comment',
    singular: 'Comment',
    plural: 'Comments',
    fields: [
      {
        name: 'detail',
        label: 'Comment',
        type: 'textarea',
        searchable: true,
        validation: [{ method: 'required', message: 'Comment is required' }],
      },
      ...special,
    ],
    relations: [{ schema: 'profile', kind: '1:1' }],
  },
  {
    name: 'topic',
    singular: 'Topic',
    plural: 'Topics',
    fields: [{ name: 'name', type: 'text', ...flags('required', 'unique', 'sortable') }],
  },
];

/** A model of schemas; default: the blog's. */
export const toModel = (raws: readonly unknown[] = BLOG): Model => linkSchemas(raws);

export interface World {
  readonly model: Model;
  readonly database: Database;
  insert(table: string, ...rows: Row[]): Promise<void>;
}

/**
 * A database in memory with the blog's tables; with `file` on disk, so that readers and the writer have separate
 * connections.
 */
export async function withWorld(
  fn: (world: World) => Promise<void>,
  file = false,
  raws: readonly unknown[] = BLOG,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'treadle-query-'));
  const database = await openPlaced({ ...(file ? { file: 'app.db' } : {}), root, clock });
  try {
    const model = toModel(raws);
    await migrate(database, createTables(model, [], { dialect: database.dialect }));
    const insert = async (table: string, ...rows: Row[]): Promise<void> => {
      const schema = model.schemas.get(table);
      await database.write(async () => {
        for (const row of rows) {
          const inserted = await database.kysely.insertInto(table).values(row).returningAll().executeTakeFirstOrThrow();
          if (schema) await writeWords(database, getWordTarget(schema), [inserted]);
        }
      });
    };
    await fn({ model, database, insert });
  } finally {
    await database.close();
    await rm(root, { recursive: true, force: true });
  }
}

export const at = (minutes: number): string => toStamp(NOW + minutes * 60_000);

/** Two people, three articles (the third removed), three comments (the third removed), two topics. */
export async function fill({ insert }: World): Promise<void> {
  const times = (name: string) => ({ [`${name}_created`]: at(0), [`${name}_updated`]: at(0) });
  await insert(
    'profile',
    {
      profile_name: 'Ann',
      profile_email: 'ann@example.org',
      profile_secret: 'hash',
      profile_active: 1,
      ...times('profile'),
    },
    {
      profile_name: 'Bob',
      profile_email: 'bob@example.org',
      profile_secret: 'hash',
      profile_active: 1,
      ...times('profile'),
    },
  );
  await insert(
    'article',
    {
      article_title: 'Old wool',
      article_slug: 'old',
      article_detail: '100% wool',
      article_published: at(-60),
      article_rank: 3,
      article_tags: '["a","b"]',
      article_active: 1,
      profile_id: 1,
      ...times('article'),
    },
    {
      article_title: 'New linen',
      article_slug: 'new',
      article_detail: 'Linen',
      article_published: at(-10),
      article_rank: null,
      article_tags: null,
      article_active: 1,
      profile_id: null,
      ...times('article'),
    },
    {
      article_title: 'Gone',
      article_slug: 'gone',
      article_detail: 'wool',
      article_published: at(-5),
      article_rank: 9,
      article_active: 0,
      ...times('article'),
    },
  );
  await insert(
    'comment',
    { comment_detail: 'First', profile_id: 1, article_id: 1, comment_active: 1, ...times('comment') },
    { comment_detail: 'Second', profile_id: 2, article_id: 1, comment_active: 1, ...times('comment') },
    { comment_detail: 'Removed', profile_id: 2, article_id: 1, comment_active: 0, ...times('comment') },
  );
  await insert('topic', { topic_name: 'Craft' }, { topic_name: 'Trade' });
  await insert('article_topic', { article_id: 1, topic_id: 1 }, { article_id: 1, topic_id: 2 });
}
