import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Renames } from '../../../src/model/rename/renames.ts';
import { planTextRenames, renameHeader, renameKeys } from '../../../src/project/rename/rename-texts.ts';
import { renameInTemplate } from '../../../src/project/rename/template.ts';
import { createFolder } from '../_folder.ts';

const test = suite('project/rename');

const names = {
  columns: new Map([
    ['article_title', 'article_headline'],
    ['article_id', 'post_id'],
  ]),
  relations: new Map([['comment', 'remark']]),
};

const TEMPLATES: readonly (readonly [string, string])[] = [
  ['{{item.article_title}} {{{article_title}}}', '{{item.article_headline}} {{{article_headline}}}'],
  [
    '{{article_title_long}} {{my_article_title}} {{article_titles}}',
    '{{article_title_long}} {{my_article_title}} {{article_titles}}',
  ],
  ['<a id="article_title-x" class="x-article_title">', '<a id="article_title-x" class="x-article_title">'],
  ['?sort=-article_title&x=article_title', '?sort=-article_headline&x=article_headline'],
  ['<input name="article_title" id="article_title_error">', '<input name="article_headline" id="article_title_error">'],
  ['{{#each item.comment}}{{article_id}}{{/each}}', '{{#each item.remark}}{{post_id}}{{/each}}'],
  // At the top level it may be a name that a controller chose.
  ['{{#if comment}}{{comment}}{{/if}}', '{{#if comment}}{{comment}}{{/if}}'],
  [
    '{{#each rows}}{{#if comment}}{{comment.length}}{{/if}}{{/each}}',
    '{{#each rows}}{{#if remark}}{{remark.length}}{{/if}}{{/each}}',
  ],
  [
    '{{#each rows}}{{../comment}}{{this.comment}}{{@root.comment}}{{/each}}',
    '{{#each rows}}{{../comment}}{{this.remark}}{{@root.comment}}{{/each}}',
  ],
  ['{{#with item}}{{x comment y=comment}}{{/with}}', '{{#with item}}{{x remark y=remark}}{{/with}}'],
  ['{{#each rows}}{{x (y comment) "comment"}}{{/each}}', '{{#each rows}}{{x (y remark) "comment"}}{{/each}}'],
  ['<p>A comment on {{item.comment}}</p>', '<p>A comment on {{item.remark}}</p>'],
  [
    '{{#each rows}}\n  {{#each comment as |comment|}}{{comment.x}}{{/each}}\n{{/each}}',
    '{{#each rows}}\n  {{#each remark as |comment|}}{{comment.x}}{{/each}}\n{{/each}}',
  ],
  ['{{broken {{article_title}} {{item.comment}}', '{{broken {{article_headline}} {{item.comment}}'],
];

for (const [before, after] of TEMPLATES) {
  test(`template ${JSON.stringify(before)}`, () => assert.is(renameInTemplate(before, names), after));
}

const fixture = { columns: names.columns, fields: new Map([['title', 'headline']]) };

const ROWS: readonly (readonly [string, string])[] = [
  ['{"article_title":"article_title","x":1}\n', '{"article_headline":"article_title","x":1}\n'],
  [
    '{ "title" : "title", "a": {"title": 1, "article_id": 2} }',
    '{ "headline" : "title", "a": {"title": 1, "post_id": 2} }',
  ],
  ['[{"title":"\\"title\\":"},\n{"title":2}]', '[{"headline":"\\"title\\":"},\n{"headline":2}]'],
  ['{"a":"\\\\","title":1}', '{"a":"\\\\","headline":1}'],
];

for (const [before, after] of ROWS) {
  test(`rows ${JSON.stringify(before)}`, () => assert.is(renameKeys(before, fixture), after));
}

test('the first line of CSV', () => {
  assert.is(renameHeader('title,"article_id",x\r\ntitle,1,2\n', fixture), 'headline,"post_id",x\r\ntitle,1,2\n');
});

const own = { columns: names.columns, relations: names.relations, computed: new Map<string, string>() };
const renames: Renames = {
  bySchema: new Map([['article', own]]),
  columns: names.columns,
  relations: names.relations,
  unsure: new Set(),
};

const FILES = {
  'app/www/src/template/a.html':
    '<code>treadle import article fixture/article.ndjson</code> {{item.article_id}}\n{{comment}}\n',
  'app/www/src/controller/a.ts': "a.setStage('schema', 'article');\nb('article_id', 'article_id_x');\nx = 'article';\n",
  'app/treadle.d.ts': 'article_id',
  'fixture/article.ndjson': '{"article_id":1}\n',
  'fixture/other.ndjson': '{"article_id":1}\n',
  'README.md': 'treadle export article, treadle export article-x\narticle_id\n',
  'public/app.css': '#article_title { }\n',
  'node_modules/x/a.html': 'article_id',
  'var/a.html': 'article_id',
  'config/schema/x.json': '{"article_id":1}',
};

test('templates, fixtures and pages for newcomers follow; code is listed with its lines', async () => {
  const { root, remove } = createFolder(FILES);
  const moved = { kind: 'schema', from: 'article', to: 'post' } as const;
  const { changes, left } = await planTextRenames(root, { renames, moved });
  assert.equal(
    changes.map(({ file, to, after }) => [file, to, after]),
    [
      ['README.md', undefined, 'treadle export post, treadle export article-x\narticle_id\n'],
      [
        'app/www/src/template/a.html',
        undefined,
        '<code>treadle import post fixture/post.ndjson</code> {{item.post_id}}\n{{comment}}\n',
      ],
      ['fixture/article.ndjson', 'fixture/post.ndjson', '{"post_id":1}\n'],
      ['fixture/other.ndjson', undefined, '{"post_id":1}\n'],
    ],
  );
  assert.equal(
    left.map(({ file, line, name }) => `${file}:${line} ${name}`),
    [
      'README.md:2 article_id',
      'app/www/src/controller/a.ts:1 article',
      'app/www/src/controller/a.ts:2 article_id',
      'app/www/src/controller/a.ts:3 article',
      'app/www/src/template/a.html:2 {{comment}}',
      'public/app.css:1 article_title',
    ],
  );
  remove();
});

test('with code, what is certain is changed there too', async () => {
  const { root, remove } = createFolder(FILES);
  const moved = { kind: 'schema', from: 'article', to: 'post' } as const;
  const { changes, left } = await planTextRenames(root, { renames, moved, isWithCode: true });
  const code = changes.find(({ file }) => file.endsWith('.ts'));
  assert.is(code?.after, "a.setStage('schema', 'post');\nb('post_id', 'article_id_x');\nx = 'article';\n");
  assert.ok(left.some(({ file, line }) => file.endsWith('a.ts') && line === 3));
  remove();
});

test.run();
