import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TEMPLATES } from '../../src/cli/create/template.ts';
import { run } from '../cli/run.ts';
import { Project } from '../project.ts';

interface Found {
  readonly code: string;
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly hint?: string;
}

const projects: Project[] = [];
const test = suite('check/template-column');
test.after(async () => {
  for (const project of projects) await project.remove();
});

function make(files: Readonly<Record<string, unknown>>, template: 'blog' | 'bare' = 'blog'): Project {
  const project = new Project(template);
  projects.push(project);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return project;
}

async function check(project: Project): Promise<{ readonly exitCode: number; readonly found: Found[] }> {
  const { code, out } = await run(['check', '--json'], { cwd: project.root });
  const { problems } = JSON.parse(out) as { problems: Found[] };
  return { exitCode: code, found: problems.filter(({ code: of }) => /_COLUMN_UNKNOWN$/.test(of)) };
}

const PAGE = 'app/www/src/template/talk/list.html';

test('no template of the scaffolds is suspected', async () => {
  for (const template of TEMPLATES) assert.equal(await check(make({}, template)), { exitCode: 0, found: [] });
});

test('tells each misspelt column with its place and the column that was meant', async () => {
  const lines = [
    '<h1>{{article_titel}}</h1>',
    '{{#each rows}}<p>{{this.article_publishd}} {{profile.profile_nam}}</p>{{/each}}',
    '{{#if (when item.article_categry "==" "news")}}{{date artikle_published}}{{/if}}',
    '<a href="{{sorturl "-article_tilte"}}">',
    '<form>',
    '  <input name="q"><input name="comment_detial"><select name="filter[article_categori]"></select>',
    '</form>{{@root.article_autor}}{{t "by {a}" a=item.article_authr}}',
  ];
  const { exitCode, found } = await check(make({ [PAGE]: lines.join('\n') }));
  assert.is(exitCode, 5);
  assert.equal(
    found.map(({ line, column, hint }) => `${line}:${column} ${hint}`),
    [
      '1:7 Did you mean "article_title"?',
      '2:20 Did you mean "article_published"?',
      '2:46 Did you mean "profile_name"?',
      '3:13 Did you mean "article_category"?',
      '3:55 Did you mean "article_published"?',
      '4:20 Did you mean "article_title"?',
      '6:32 Did you mean "comment_detail"?',
      '6:69 Did you mean "article_category"?',
      '7:10 Did you mean "article_author"?',
      '7:46 Did you mean "article_author"?',
    ],
  );
  assert.is(found[0]?.file, PAGE);
  assert.is(found[0]?.message, 'No row has "article_titel", which the template reads, and no code names it.');
});

test("a name that the code contains, or that a template gives, is the project's own", async () => {
  const project = make({
    [PAGE]: [
      '{{#each rows}}{{article_reads}}{{/each}} {{> talk/card article_heading="x"}}',
      '{{#each rows as |article_row|}}{{article_row.article_title}}{{/each}}',
      '{{article_helper}} {{item.article_meta.article_whatever}} {{talk_titel}} {{other_service_id}}',
    ].join('\n'),
    'app/www/src/template/talk/card.html': '<h2>{{article_heading}}</h2>',
  });
  project.edit<{ fields: object[] }>('config/schema/article.json', ({ fields }) => {
    fields.splice(1, 0, { name: 'meta', label: 'Meta', type: 'meta' });
  });
  project.addController(
    'talk',
    "export default (app) => { app.helper('article_helper', () => 1); app.get('/talk', () => ({ article_reads: 3 })); };\n",
  );
  assert.equal(await check(project), { exitCode: 0, found: [] });
});

test('columns of relations, of both sides and with names of their own, are known', async () => {
  const project = make({
    [PAGE]:
      '{{#each item.comment}}{{comment_id}}{{comment_detail}}{{profile_name}}{{profile_id}}{{/each}}{{#each item.author}}{{profile_created}}{{/each}}',
  });
  project.edit<{ relations: object[] }>('config/schema/article.json', ({ relations }) => {
    relations.push({ schema: 'profile', kind: '1:0', name: 'author' });
  });
  assert.equal(await check(project), { exitCode: 0, found: [] });
});

test('mails are checked, too', async () => {
  const mail = 'app/www/src/template/mail/hello.txt';
  const { found } = await check(make({ [mail]: 'Subject: Hello\n\n{{article_titel}}\n' }));
  assert.equal(
    found.map(({ file, line }) => `${file}:${line}`),
    [`${mail}:3`],
  );
});

test('tells misspelt columns of a search in code, which the compiler does not see', async () => {
  const project = make({});
  project.addController(
    'talk',
    [
      'export default (app) => app.get("/talk", async (request, response) => {',
      "  request.setStage('schema', 'article').setStage('filter', { article_categry: 'x', 'comment.comment_detial': 1 });",
      "  request.setStage('sort', {",
      '    // article_wrong: it is a comment',
      "    article_published: 'DESC', [request.key]: 'ASC', ...request.more, article_titel: order({ article_any: 1 }),",
      "  }).setStage('fields', ['article_title', 'article_detial']);",
      "  request.setStage('sort', '-article_publishd').setStage('filter', request.article_own).setSoftStage('sort', article_own);",
      "  app.package('/app/www').template('x', { filter: { article_mine: 1 } });",
      '});',
    ].join('\n'),
  );
  const { exitCode, found } = await check(project);
  assert.is(exitCode, 5);
  assert.equal(
    found.map(({ line, column, message, hint }) => `${line}:${column} ${/"(.*?)"/.exec(message)?.[1]} ${hint}`),
    [
      '2:62 article_categry Did you mean "article_category"?',
      '2:85 comment.comment_detial Did you mean "comment_detail"?',
      '5:71 article_titel Did you mean "article_title"?',
      '6:44 article_detial Did you mean "article_detail"?',
      '7:30 article_publishd Did you mean "article_published"?',
    ],
  );
  assert.is(found[0]?.file, 'app/www/src/controller/talk.ts');
});

test('says nothing while the code does not load', async () => {
  const project = make({ [PAGE]: '{{article_reads}}' });
  project.addController('talk', "import './missing';\nexport default () => { const article_reads = 1; };\n");
  const { exitCode, found } = await check(project);
  assert.is(exitCode, 5);
  assert.equal(found, []);
});

test.run();
