import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../../boot.ts';
import { readForm } from '../../definition-form.ts';
import { Project } from '../../project.ts';

const test = suite('the forms of schemas and fieldsets');

type Posted = Readonly<Record<string, string>>;

/** Works a form as a person without scripts does: each step sets values and presses a button. */
async function work(site: Site, path: string, steps: readonly Posted[]) {
  const person = await site.as('admin', ['admin']);
  let page = await person.get(path);
  assert.is(page.status, 200, page.text);
  for (const step of steps) {
    page = await person.post(path, { ...readForm(page.text), ...step });
  }
  return page;
}

interface Case {
  readonly name: string;
  readonly path: string;
  readonly steps: readonly Posted[];
  readonly commands: readonly (readonly string[])[];
  readonly file: string;
}

const add = (name: string, type: string, more: Posted = {}): Posted => ({
  'add[name]': name,
  'add[type]': type,
  do: 'add',
  ...more,
});

const CASES: readonly Case[] = [
  {
    name: 'a new schema with fields, a relation and its stamps',
    path: '/admin/system/schema/create',
    steps: [
      { name: 'task', ...add('title', 'text', { 'add[required]': '1' }) },
      add('note', 'textarea'),
      { 'link[kind]': '1:1', 'link[schema]': 'profile', do: 'link' },
      { do: 'save' },
    ],
    commands: [
      [
        'schema',
        'create',
        'task',
        '--field',
        'title:text:required',
        '--field',
        'note:textarea',
        '--relation',
        'profile=1:1',
      ],
    ],
    file: 'config/schema/task.json',
  },
  {
    name: 'indexes, one a line',
    path: '/admin/system/schema/update/article',
    steps: [{ indexes: 'published, -title where published.null=false\ncategory,published', do: 'save' }],
    commands: [
      [
        ...['schema', 'update', 'article', '--add-index', 'published,-title where published.null=false'],
        ...['--add-index', 'category,published'],
      ],
    ],
    file: 'config/schema/article.json',
  },
  {
    name: 'no history of the rows',
    path: '/admin/system/schema/update/article',
    steps: [{ history: '', do: 'save' }],
    commands: [['schema', 'update', 'article', '--no-history']],
    file: 'config/schema/article.json',
  },
  {
    name: 'a history that was unticked and ticked again',
    path: '/admin/system/schema/update/article',
    steps: [
      { history: '', do: 'keep' },
      { history: '1', singular: 'Piece', do: 'save' },
    ],
    commands: [['schema', 'update', 'article', '--singular', 'Piece']],
    file: 'config/schema/article.json',
  },
  {
    name: 'periods that do not overlap, one a line',
    path: '/admin/system/schema/update/article',
    steps: [
      add('starts', 'date'),
      add('ends', 'date'),
      { exclude: 'category: starts, ends: Another article is there: see it\nstarts,ends', do: 'save' },
    ],
    commands: [
      ['field', 'add', 'article', 'starts:date'],
      ['field', 'add', 'article', 'ends:date'],
      [
        ...['schema', 'update', 'article', '--add-exclude', 'category:starts,ends:Another article is there: see it'],
        ...['--add-exclude', 'starts,ends'],
      ],
    ],
    file: 'config/schema/article.json',
  },
  {
    name: 'a stored computed field and a decimal',
    path: '/admin/system/schema/update/article',
    steps: [
      add('fee', 'decimal'),
      { 'f[precision]': '12', 'f[scale]': '2', 'f[currency]': 'EUR', do: 'done' },
      add('double', 'computed'),
      { 'f[expression]': 'fee * 2', 'f[stored]': '1', 'f[sortable]': '1', do: 'save' },
    ],
    commands: [
      ['field', 'add', 'article', 'fee:decimal(12,2,EUR)'],
      ['field', 'add', 'article', 'double:computed:sortable', '--expression', 'fee * 2', '--stored'],
    ],
    file: 'config/schema/article.json',
  },
  {
    name: 'a new schema with labels and no stamps',
    path: '/admin/system/schema/create',
    steps: [
      {
        name: 'person-note',
        singular: 'Remark',
        plural: 'Remarks',
        description: 'What was said',
        ...add('rank', 'number'),
      },
      { do: 'save', stamps: '' },
    ],
    commands: [
      [
        ...['schema', 'create', 'person-note', '--singular', 'Remark', '--plural', 'Remarks'],
        ...['--description', 'What was said', '--field', 'rank:number', '--no-stamps'],
      ],
    ],
    file: 'config/schema/person-note.json',
  },
  {
    name: 'a new fieldset',
    path: '/admin/system/fieldset/create',
    steps: [
      { name: 'address', ...add('street', 'text', { 'add[required]': '1' }) },
      add('city', 'text'),
      { do: 'save' },
    ],
    commands: [['fieldset', 'create', 'address', '--field', 'street:text:required', '--field', 'city:text']],
    file: 'config/fieldset/address.json',
  },
  {
    name: 'a field with every key',
    path: '/admin/system/schema/update/comment',
    steps: [
      add('state', 'select'),
      { do: 'open:1' },
      {
        'f[label]': 'State of it',
        'f[description]': 'Where it is',
        'f[options]': 'open=Open\r\ndone=Done',
        'f[default]': 'open',
        'f[attributes]': 'data-size=2\r\nplaceholder=Choose',
        'f[filterable]': '1',
        'f[required]': '1',
        'f[validation][0][method]': 'one',
        'f[validation][0][parameter]': 'open, done',
        'f[validation][0][message]': 'Open or done',
        'f[list_format]': 'upper',
        'f[detail_format]': 'length',
        'f[detail_parameters]': '80',
        do: 'save',
      },
    ],
    commands: [
      [
        ...[
          'field',
          'add',
          'comment',
          'state',
          '--type',
          'select',
          '--label',
          'State of it',
          '--description',
          'Where it is',
        ],
        ...['--option', 'open=Open', '--option', 'done=Done', '--default', 'open', '--filterable', '--required'],
        ...[
          '--attribute',
          'data-size=2',
          '--attribute',
          'placeholder=Choose',
          '--validation',
          'one:open, done:Open or done',
        ],
        ...['--list-format', 'upper', '--detail-format', 'length:80'],
      ],
    ],
    file: 'config/schema/comment.json',
  },
  {
    name: 'a changed field, and keys taken away',
    path: '/admin/system/schema/update/article',
    steps: [
      { do: 'open:0' },
      { 'f[label]': 'Headline', 'f[sortable]': '', do: 'close' },
      { icon: '', plural: 'Stories', do: 'save' },
    ],
    commands: [
      ['field', 'update', 'article', 'title', '--label', 'Headline', '--no-sortable'],
      ['schema', 'update', 'article', '--unset', 'icon', '--plural', 'Stories'],
    ],
    file: 'config/schema/article.json',
  },
  {
    name: 'a removed field',
    path: '/admin/system/schema/update/article',
    steps: [{ do: 'drop:2' }, { do: 'save' }],
    commands: [['field', 'remove', 'article', 'category']],
    file: 'config/schema/article.json',
  },
  {
    name: 'a relation of a schema to itself',
    path: '/admin/system/schema/update/comment',
    steps: [
      { 'link[kind]': '1:0', 'link[schema]': 'comment', 'link[name]': 'parent', do: 'link' },
      { 'relation[1][onRemove]': 'cascade', do: 'save' },
    ],
    commands: [['relation', 'add', 'comment', '1:0', 'comment', '--name', 'parent', '--on-remove', 'cascade']],
    file: 'config/schema/comment.json',
  },
  {
    name: 'a renamed field, with what refers to it',
    path: '/admin/system/schema/rename/article?field=title',
    steps: [{ to: 'headline', do: 'save' }],
    commands: [['field', 'rename', 'article', 'title', 'headline']],
    file: 'config/schema/article.json',
  },
  {
    name: 'a renamed schema, with its paths',
    path: '/admin/system/schema/rename/article',
    steps: [{ to: 'post', paths: '1', do: 'save' }],
    commands: [['schema', 'rename', 'article', 'post', '--paths']],
    file: 'config/schema/post.json',
  },
  {
    name: 'a copied schema',
    path: '/admin/system/schema/create?copy=comment',
    steps: [{ name: 'remark', singular: 'Remark', plural: 'Remarks', display: '{{remark_detail}}', do: 'save' }],
    commands: [['schema', 'copy', 'comment', 'remark']],
    file: 'config/schema/remark.json',
  },
  {
    name: 'a removed schema, with what refers to it',
    path: '/admin/system/schema/remove/comment',
    steps: [{ cascade: '1', do: 'save' }],
    commands: [['schema', 'remove', 'comment', '--cascade']],
    file: 'config/schema/article.json',
  },
  {
    name: 'settings with the API open',
    path: '/admin/system/settings',
    steps: [{ 's[api]': '1', do: 'save' }],
    commands: [['api', 'populate']],
    file: 'config/settings.json',
  },
];

for (const { name, path, steps, commands, file } of CASES) {
  test(`the browser writes what the command writes: ${name}`, async () => {
    const site = await boot({ settings: { admin: { write: true } } });
    const twin = new Project('blog');
    try {
      twin.set({ admin: { write: true } });
      const last = await work(site, path, steps);
      assert.is(last.status, 303, last.text);
      for (const command of commands) await twin.cli(...command);
      assert.is(site.project.read(file), twin.read(file));
    } finally {
      await site.close();
      await twin.remove();
    }
  });
}

test('a form that was opened and saved changes nothing; rows move by buttons and keep what was typed', async () => {
  const site = await boot({ settings: { admin: { write: true } } });
  try {
    for (const name of ['article', 'comment', 'profile']) {
      const before = site.project.read(`config/schema/${name}.json`);
      const fields = (JSON.parse(before) as { fields: unknown[] }).fields.length;
      const steps = Array.from({ length: fields }, (_, index) => ({ do: `open:${index}` }));
      const same = await work(site, `/admin/system/schema/update/${name}`, [...steps, { do: 'save' }]);
      assert.match(same.text, /Nothing changed/, name);
      assert.is(site.project.read(`config/schema/${name}.json`), before);
    }
    const moved = await work(site, '/admin/system/schema/update/article', [
      { do: 'down:0', plural: 'Stories' },
      { do: 'up:3' },
      { do: 'save' },
    ]);
    assert.is(moved.status, 303);
    const value = JSON.parse(site.project.read('config/schema/article.json')) as {
      plural: string;
      fields: { name: string }[];
    };
    assert.is(value.plural, 'Stories');
    assert.equal(
      value.fields.slice(0, 4).map((field) => field.name),
      ['slug', 'title', 'author', 'category'],
    );
  } finally {
    await site.close();
  }
});

test('an error stands at its field, a conflict shows both versions, and nothing typed is lost', async () => {
  const site = await boot({ settings: { admin: { write: true } } });
  const path = '/admin/system/schema/update/article';
  try {
    const bad = await work(site, path, [
      { do: 'open:0', plural: 'Stories' },
      { 'f[type]': 'fieldset', do: 'save' },
    ]);
    assert.is(bad.status, 422);
    assert.match(bad.text, /value="Stories"/);
    assert.match(bad.text, /<p class="t-error" role="alert">[^<]*fieldset/);
    const rules = { unique: 'article_title, nothing', exclude: 'category: title, published', indexes: 'nowhere' };
    const refused = await work(site, path, [{ ...rules, do: 'save' }]);
    assert.match(refused.text, /id="unique-error">[^<]*nothing/);
    assert.match(refused.text, /id="exclude-error">[^<]*title[^<]*cannot be the end of a period/);
    assert.match(refused.text, /id="indexes-error">[^<]*nowhere/);
    const person = await site.as('admin', ['admin']);
    const form = readForm((await person.get(path)).text);
    site.project.edit('config/schema/article.json', (value) => {
      value.plural = 'Essays';
    });
    const conflict = await person.post(path, { ...form, plural: 'Stories', do: 'save' });
    assert.is(conflict.status, 409);
    assert.match(conflict.text, /Essays/);
    assert.match(conflict.text, /value="Stories"/);
    const over = /name="over" value="([^"]*)"/.exec(conflict.text)?.[1] ?? '';
    const saved = await person.post(path, { ...readForm(conflict.text), over });
    assert.is(saved.status, 303);
    assert.match(site.project.read('config/schema/article.json'), /Stories/);
    const page = await person.get(path);
    const undo = /action="([^"]*\/undo\/\d+)"/.exec(page.text)?.[1] ?? '';
    assert.is((await person.post(undo, {})).status, 303);
    assert.match(site.project.read('config/schema/article.json'), /Essays/);
  } finally {
    await site.close();
  }
});

test('settings are written where they differ from what holds, and the database stays out of the page', async () => {
  const site = await boot({ settings: { admin: { write: true }, database: { url: 'sqlite:var/app.db' } } });
  try {
    const before = site.project.read('config/settings.json');
    const page = await work(site, '/admin/system/settings', [{ do: 'save' }]);
    assert.match(page.text, /Nothing changed/);
    const bad = await work(site, '/admin/system/settings', [{ 's[limits.pageRows]': '5000', do: 'save' }]);
    assert.is(bad.status, 422);
    assert.match(bad.text, /id="setting-limits-pageRows-error">[^<]+</);
    assert.is(site.project.read('config/settings.json'), before);
    const saved = await work(site, '/admin/system/settings', [
      {
        's[limits.pageRows]': '20',
        's[name]': 'Mine',
        's[server.cors]': 'https://a.example\r\nhttps://b.example',
        do: 'save',
      },
    ]);
    assert.is(saved.status, 303, saved.text);
    const expected = JSON.parse(before) as Record<string, unknown>;
    expected.name = 'Mine';
    expected.limits = { pageRows: 20 };
    expected.server = { cors: ['https://a.example', 'https://b.example'] };
    assert.equal(JSON.parse(site.project.read('config/settings.json')), expected);
    assert.is(site.app.plan.model.settings.limits.pageRows, 20);
    // Left out, every origin may read public calls: who empties the list does not mean that.
    await work(site, '/admin/system/settings', [{ 's[server.cors]': '', do: 'save' }]);
    assert.equal(JSON.parse(site.project.read('config/settings.json')).server, { cors: [] });
  } finally {
    await site.close();
  }
});

test('what one project exports another imports, byte for byte; a bad entry imports nothing', async () => {
  const [site, twin] = [
    await boot({ settings: { admin: { write: true } } }),
    await boot({ settings: { admin: { write: true } } }),
  ];
  try {
    await site.cli('schema', 'create', 'task', '--field', 'title:text:required');
    await site.cli('schema', 'create', 'place', '--field', 'name:text');
    const person = await site.as('admin', ['admin']);
    const { text } = await person.get('/admin/system/schema/export');
    const bad = await work(twin, '/admin/system/schema/import', [{ text: '[{"name":"task"}]', do: 'save' }]);
    assert.is(bad.status, 422);
    assert.is((await work(twin, '/admin/system/schema/import', [{ text, do: 'save' }])).status, 303);
    for (const name of ['task', 'place', 'article']) {
      assert.is(twin.project.read(`config/schema/${name}.json`), site.project.read(`config/schema/${name}.json`));
    }
    const one = await person.get('/admin/system/schema/export?name=task');
    assert.is(one.text, site.project.read('config/schema/task.json'));
    const drawing = await person.get('/admin/system/schema/model');
    assert.match(drawing.text, /<a href="\/admin\/system\/schema\/update\/task">/);
    assert.match(drawing.text, /an article has many comments/);
  } finally {
    await Promise.all([site.close(), twin.close()]);
  }
});

test('a server that may not write shows the form and refuses the save', async () => {
  const site = await boot();
  try {
    const page = await work(site, '/admin/system/schema/update/article', [{ plural: 'Stories', do: 'save' }]);
    assert.is(page.status, 403);
    assert.match(page.text, /admin\.write/);
  } finally {
    await site.close();
  }
});

test.run();
