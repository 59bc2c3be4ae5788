import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import { writeRules } from '../feature/role/_site.ts';
import type { Project } from '../project.ts';

/** Which write empties which answer, and which answers stay. Also on PostgreSQL: each database tells its writes by itself. */
const test = suite('kept answers and rows');
const at: { site?: Site; asked: string[] } = { asked: [] };
const site = (): Site => at.site as Site;

const text = (name: string, more: object = {}) => ({ name, type: 'text', filterable: true, sortable: true, ...more });
const toSchema = (name: string, relations: object[] = []) => ({
  name,
  singular: name,
  plural: `${name}s`,
  fields: [text('name'), { name: 'active', type: 'active' }],
  relations,
});

function addSchemas(project: Project): void {
  for (const schema of [
    toSchema('author'),
    toSchema('topic'),
    toSchema('remark', [{ schema: 'profile', kind: '1:1' }]),
  ])
    project.write(`config/schema/${schema.name}.json`, schema);
  const article = JSON.parse(project.read('config/schema/article.json'));
  article.relations.push({ schema: 'author', kind: '1:0' }, { schema: 'topic', kind: 'N:N' });
  project.write('config/schema/article.json', article);
  const profile = JSON.parse(project.read('config/schema/profile.json'));
  profile.fields[0].filterable = true;
  project.write('config/schema/profile.json', profile);
  for (const schema of ['article', 'comment', 'remark'])
    for (const action of ['search', 'detail'])
      project.write(`config/rest/public-${schema}-${action}.json`, {
        title: `${action} ${schema}`,
        access: 'public',
        method: 'get',
        path: `/public/${schema}/${action}${action === 'detail' ? `/:${schema}_id` : ''}`,
        event: `system-model-${action}`,
        parameters: { schema },
      });
  const rule = { filter: { profile_name: { ne: 'Hidden' } } };
  writeRules(project, { guest: { remark: { search: rule, detail: rule } } });
}

const STAMP = "'2026-01-01 00:00:00'";
const toComment = (id: number, article: number, profile: number): string =>
  `insert into comment (comment_id, comment_detail, comment_active, comment_created, comment_updated, profile_id, article_id)
    values (${id}, 'said', 1, ${STAMP}, ${STAMP}, ${profile}, ${article})`;
const toArticle = (id: number): string =>
  `insert into article (article_id, article_title, article_detail, article_active, article_created, article_updated, author_id)
    values (${id}, 'Title', '<p>x</p>', 1, ${STAMP}, ${STAMP}, ${id})`;
const ROWS = [
  ...['author', 'topic'].flatMap((name) =>
    [1, 2].map((id) => `insert into ${name} (${name}_id, ${name}_name, ${name}_active) values (${id}, 'Name', 1)`),
  ),
  ...[1, 2].map(
    (id) =>
      `insert into profile (profile_id, profile_name, profile_active, profile_created, profile_updated) values (${id}, 'P', 1, ${STAMP}, ${STAMP})`,
  ),
  ...[1, 2].map(toArticle),
  ...[1, 2].map((id) => `insert into article_topic (article_id, topic_id) values (${id}, ${id})`),
  ...[1, 2].map((id) => toComment(id, id, id)),
  ...[1, 2].map(
    (id) => `insert into remark (remark_id, remark_name, remark_active, profile_id) values (${id}, 'R', 1, ${id})`,
  ),
];

const run = (sql: string) => site().app.services.database.run(CompiledQuery.raw(sql));

const PATHS = {
  page: '/article/1',
  article: '/rest/public/article/detail/1',
  list: '/rest/public/comment/search?filter[article_id]=1',
  sorted: '/rest/public/comment/search?filter[article_id]=1&sort[comment_created]=DESC&total=0',
  comment: '/rest/public/comment/detail/1',
  remarks: '/rest/public/remark/search',
  remark: '/rest/public/remark/detail/1',
  articles: '/rest/public/article/search',
  authors: '/rest/public/article/search?expand=author',
} as const;
type Name = keyof typeof PATHS;
const ALL = Object.keys(PATHS) as Name[];

test.before(async () => {
  at.site = await boot({ change: addSchemas });
  for (const line of ROWS) await run(line);
  const { database } = site().app.services;
  const plain = database.run.bind(database);
  database.run = (query, ...rest) => {
    if (/"(?:article|comment|author|topic|profile|remark|article_topic)"/.test(query.sql)) at.asked.push(query.sql);
    return plain(query, ...rest);
  };
});
test.after(() => site().close());

const ask = async (name: Name): Promise<{ text: string; asked: number }> => {
  at.asked = [];
  const answer = await site().get(PATHS[name]);
  return { text: answer.text, asked: at.asked.length };
};

/** Asks until the answer is kept. */
async function keep(name: Name): Promise<void> {
  for (let time = 0; time < 40; time += 1) if ((await ask(name)).asked === 0) return;
  throw new Error(`${PATHS[name]} is never kept`);
}

let fresh = 0;
/** The same answer, made anew: nothing that is kept is given to a key that came never before. */
async function make(name: Name): Promise<string> {
  fresh += 1;
  if (name === 'page') return (await site().get(`${PATHS.page}?fresh=${fresh}`)).text.replace(/\?fresh[^"]*/g, '');
  return (await site().get(PATHS[name], { 'if-match': '*' })).text;
}

const ONE: Name[] = ['page', 'article'];
const LISTS: Name[] = ['list', 'sorted'];
const WRITES: readonly [what: string, sql: string, emptied: readonly Name[]][] = [
  ['a comment on another article', toComment(3, 2, 1), []],
  ['a comment on the article', toComment(4, 1, 1), [...ONE, ...LISTS]],
  ['a comment of another person on it', toComment(5, 1, 2), [...ONE, ...LISTS]],
  [
    "that person's name",
    "update profile set profile_name = 'P2' where profile_id = 2",
    [...ONE, ...LISTS, 'remarks', 'remark'],
  ],
  ['that comment is gone', 'delete from comment where comment_id = 5', [...ONE, ...LISTS]],
  [
    "the other person's name again",
    "update profile set profile_name = 'P' where profile_id = 2",
    ['remarks', 'remark'],
  ],
  ['a comment elsewhere', "update comment set comment_detail = 'y' where comment_id = 2", []],
  ['the comment', "update comment set comment_detail = 'z' where comment_id = 1", [...ONE, ...LISTS, 'comment']],
  ['a comment moves here', 'update comment set article_id = 1 where comment_id = 2', [...ONE, ...LISTS]],
  ['a comment moves away', 'update comment set article_id = 2 where comment_id = 2', [...ONE, ...LISTS]],
  [
    'the comment gets another author',
    'update comment set profile_id = 2 where comment_id = 1',
    [...ONE, ...LISTS, 'comment'],
  ],
  [
    'that author',
    "update profile set profile_name = 'Q' where profile_id = 2",
    [...ONE, ...LISTS, 'comment', 'remarks', 'remark'],
  ],
  ['another article', "update article set article_title = 'T' where article_id = 2", ['articles', 'authors']],
  ['the article', "update article set article_title = 'U' where article_id = 1", [...ONE, 'articles', 'authors']],
  ["another article's author", "update author set author_name = 'N' where author_id = 2", ['authors']],
  ["the article's author", "update author set author_name = 'M' where author_id = 1", [...ONE, 'authors']],
  ['an author more', "insert into author (author_id, author_name, author_active) values (3, 'L', 1)", []],
  [
    'the article gets another author',
    'update article set author_id = 3 where article_id = 1',
    [...ONE, 'articles', 'authors'],
  ],
  ['the former author', "update author set author_name = 'K' where author_id = 1", []],
  ['the author is deleted', 'delete from author where author_id = 3', [...ONE, 'articles', 'authors']],
  ['a link of another article', 'insert into article_topic (article_id, topic_id) values (2, 1)', []],
  ['a link', 'insert into article_topic (article_id, topic_id) values (1, 2)', ONE],
  ['the target of a link', "update topic set topic_name = 'J' where topic_id = 2", ONE],
  ['no link any more', 'delete from article_topic where article_id = 1 and topic_id = 2', ONE],
  ['a comment is removed', 'update comment set comment_active = 0 where comment_id = 4', [...ONE, ...LISTS]],
  ['a comment is restored', 'update comment set comment_active = 1 where comment_id = 4', [...ONE, ...LISTS]],
  [
    'a row that a rule asks for',
    "update profile set profile_name = 'Hidden' where profile_id = 2",
    [...ONE, ...LISTS, 'comment', 'remarks', 'remark'],
  ],
  ['a remark', "update remark set remark_name = 'S' where remark_id = 2", ['remarks']],
  ['another article is deleted', 'delete from article where article_id = 2', ['articles', 'authors']],
  [
    'the article is deleted',
    'delete from article where article_id = 1',
    [...ONE, ...LISTS, 'comment', 'articles', 'authors'],
  ],
];

for (const [what, sql, emptied] of WRITES) {
  test(`${what}: ${emptied.length === 0 ? 'every answer stays' : `made again: ${emptied.join(', ')}`}`, async () => {
    for (const name of ALL) await keep(name);
    await run(sql);
    for (const name of ALL) {
      const { text: given, asked } = await ask(name);
      const made = await make(name);
      assert.is(asked > 0, emptied.includes(name), `${PATHS[name]} reads rows`);
      assert.is(given, made, `${PATHS[name]} as it is made anew`);
    }
  });
}

test.run();
