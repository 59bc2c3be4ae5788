// Rows that an event writes beside its own: those that go with a deleted row, or lose their link to it, and those of an import.
// Whatever hears of a row hears of them, in the same commit. Also on PostgreSQL.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../src/database/row-statement.ts';
import { boot, type Site } from '../boot.ts';

const CODE = `
import type { App } from 'treadle';
const heard = [];
export default function listen(app: App) {
  const note = (request, response, { event }) => {
    const { original, ...results } = response.getResults();
    heard.push([event.replace('system-', ''), request.getStage('schema') ?? request.getStage('schema1'), results, original?.task_title]);
    if ((event.endsWith('remove') && results.badge_title === 'kept') || results.task_title === 'bad' || results.person_name === 'bad')
      response.refuse({ status: 409, message: 'Not this one' });
  };
  for (const event of ['system-model-create', 'system-model-update', 'system-model-remove', 'system-relation-unlink'])
    app.after(event, note);
  app.committed('system-model-remove', 'gone', () => {}, { schema: 'badge' });
  app.on('heard', (request, response) => void response.setResults(heard.splice(0)));
}
`;

const toSchema = (name: string, field: string, relations: readonly Row[] = []): [string, Row] => [
  `config/schema/${name}.json`,
  {
    name,
    singular: name,
    plural: `${name}s`,
    fields: [{ name: field, type: 'text', unique: name === 'task' }],
    relations,
  },
];
const FILES = Object.fromEntries([
  toSchema('team', 'name', [
    { schema: 'task', kind: '1:N' },
    { schema: 'tag', kind: 'N:N' },
    { schema: 'team', kind: '1:0', name: 'parent', onRemove: 'cascade' },
  ]),
  toSchema('member', 'name', [{ schema: 'team', kind: '1:1', onRemove: 'cascade' }]),
  toSchema('badge', 'title', [
    { schema: 'member', kind: '1:1', onRemove: 'cascade' },
    { schema: 'tag', kind: 'N:N' },
  ]),
  [
    'config/webhook/tag-parted.json',
    {
      ...{ title: 'Tag parted', type: 'tag.parted', event: 'system-relation-unlink', url: 'http://127.0.0.1:9/' },
      parameters: { schema1: 'tag', schema2: 'badge' },
    },
  ],
  toSchema('note', 'text', [{ schema: 'team', kind: '1:0' }]),
  toSchema('task', 'title'),
  toSchema('tag', 'name'),
  toSchema('person', 'name', [{ schema: 'person', kind: '1:0', name: 'chief' }]),
  [
    'config/webhook/badge-gone.json',
    {
      title: 'Badge gone',
      type: 'badge.gone',
      event: 'system-model-remove',
      parameters: { schema: 'badge' },
      url: 'http://127.0.0.1:9/',
    },
  ],
]);

const heardOf = suite('rows beside the event’s own');
const world: { site?: Site } = {};
const site = (): Site => world.site as Site;
type Heard = readonly [event: string, schema: string, results: Row, original?: string];
const hear = async (): Promise<Heard[]> => (await site().emit('heard')).getResults() as unknown as Heard[];
const short = (list: readonly Heard[]): string[] =>
  list.map(([event, schema, results]) => `${event} ${schema} ${Object.values(results).join(' ')}`.trim());
const make = async (schema: string, values: Row): Promise<number> =>
  Number((await site().emit('system-model-create', { schema, ...values })).getResults(`${schema}_id`));

heardOf('starts', async () => {
  world.site = await boot({
    template: 'bare',
    files: FILES,
    change: (project) => void project.addController('listen', CODE),
  });
});

/** A team with everything that depends on it. */
async function makeTeam(badge_title: string): Promise<Record<string, number>> {
  const team = await make('team', { team_name: 'Red' });
  const under = await make('team', { team_name: 'Under', parent_id: team });
  const member = await make('member', { member_name: 'Ann', team_id: team });
  const below = await make('member', { member_name: 'Ben', team_id: under });
  const badge = await make('badge', { badge_title, member_id: member });
  const note = await make('note', { note_text: 'hello', team_id: team });
  const task = await make('task', { task_title: `sweep ${team}`, team_id: team });
  const tag = await make('tag', { tag_name: 'warm' });
  await site().emit('system-relation-link', { schema1: 'team', schema2: 'tag', team_id: team, tag_id: tag });
  await site().emit('system-relation-link', { schema1: 'badge', schema2: 'tag', badge_id: badge, tag_id: tag });
  await hear();
  return { team, under, member, below, badge, note, task, tag };
}

const TABLES = ['team', 'member', 'badge', 'note', 'task', 'tag', 'team_tag', 'badge_tag'];
const readAll = async (): Promise<string> =>
  JSON.stringify(await Promise.all(TABLES.map((table) => site().rows(table))));

heardOf('all that goes with a row, or loses its link to it, is told once, after the row is deleted', async () => {
  const { team, under, member, below, badge, note, task, tag } = await makeTeam('gold');
  const events = (await site().rows('treadle_event')).length;
  const jobs = (await site().rows('treadle_job')).length;
  const entries = (await site().rows('treadle_history')).length;
  await site().emit('system-model-remove', { schema: 'team', team_id: team });
  assert.equal(
    short(await hear()).sort(),
    [
      `model-remove badge ${badge} gold ${member} Ann`,
      `model-remove member ${below} Ben ${under} Under`,
      `model-remove member ${member} Ann ${team} Red`,
      `model-remove team ${team} Red`,
      `model-remove team ${under} Under ${team}`,
      `relation-unlink badge ${badge} ${tag}`,
      `relation-unlink note ${note} ${team}`,
      `relation-unlink team ${team} ${tag}`,
      `relation-unlink team ${team} ${task}`,
    ].sort(),
  );
  const fired = (await site().rows('treadle_event')).slice(events).map(({ hook }) => hook);
  assert.equal(fired.sort(), ['badge-gone', 'tag-parted'], 'the web hooks');
  assert.ok((await site().rows('treadle_job')).length >= jobs + 1, 'the committed listener');
  const told = (await site().rows('treadle_history'))
    .slice(entries)
    .map((row) => `${row.subject} ${row.row_id} ${JSON.stringify(row.entry).match(/action\W+(\w+)/)?.[1]}`);
  const wanted = [
    ...[`badge ${badge}`, `member ${member}`, `member ${below}`, `team ${under}`, `team ${team}`].map(
      (row) => `${row} remove`,
    ),
    ...[`note ${note}`, `task ${task}`, `tag ${tag}`, `team ${team}`, `badge ${badge}`].map((row) => `${row} unlink`),
  ];
  assert.equal(
    wanted.filter((line) => !told.includes(line)),
    [],
    told.join('; '),
  );
});

heardOf('a web hook hears of a link that is cleared, whichever schema it names first', async () => {
  const count = async (): Promise<number> =>
    (await site().rows('treadle_event')).filter(({ hook }) => hook === 'tag-parted').length;
  const tag = await make('tag', { tag_name: 'cool' });
  const stage = { schema1: 'badge', schema2: 'tag', tag_id: tag };
  const team = await make('team', { team_name: 'Blue' });
  const member = await make('member', { member_name: 'Cleo', team_id: team });
  const badge = await make('badge', { badge_title: 'tin', member_id: member });
  await site().emit('system-relation-link', { ...stage, badge_id: badge });
  const before = await count();
  await site().emit('system-model-remove', { schema: 'tag', tag_id: tag });
  assert.is(await count(), before + 1);
  await hear();
});

heardOf('who refuses one of them keeps them all', async () => {
  const { team } = await makeTeam('kept');
  const before = await readAll();
  const [events, entries] = await Promise.all([site().rows('treadle_event'), site().rows('treadle_history')]);
  const response = await site().app.emit('system-model-remove', { schema: 'team', team_id: team });
  assert.equal([response.getStatus(), response.getMessage()], [409, 'Not this one']);
  assert.is(await readAll(), before);
  assert.is((await site().rows('treadle_event')).length, events.length);
  assert.is((await site().rows('treadle_history')).length, entries.length);
  await hear();
});

heardOf('an imported row is told as one that is created or changed', async () => {
  await make('task', { task_title: 'old' });
  await hear();
  const rows = [
    { title: 'one' },
    { task_id: (await site().rows('task')).at(-1)?.task_id, title: 'older' },
    { title: 'two' },
  ];
  await site().emit('system-model-import', { schema: 'task', rows });
  const heard = await hear();
  assert.equal(
    heard.map(([event, schema, { task_title }, original]) => [event, schema, task_title, original ?? null]),
    [
      ['model-create', 'task', 'one', null],
      ['model-create', 'task', 'two', null],
      ['model-update', 'task', 'older', 'old'],
    ],
  );
});

heardOf('a listener that refuses an imported row makes that row bad', async () => {
  const before = await readAll();
  const rows = [{ title: 'three' }, { title: 'bad' }, { title: 'four' }];
  const response = await site().app.emit('system-model-import', { schema: 'task', rows });
  assert.equal([response.getStatus(), response.getMessage()], [422, 'Row 2: Not this one']);
  assert.is(await readAll(), before);
  site().project.write('rows.ndjson', `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
  const said = await site().cli('import', 'task', 'rows.ndjson', '--skip-bad');
  assert.match(JSON.stringify(said), /2[\s\S]*Not this one/);
  assert.equal(
    (await site().rows('task')).slice(-2).map(({ task_title }) => task_title),
    ['three', 'four'],
  );
  await hear();
});

heardOf('a trial asks the listeners and leaves nothing', async () => {
  const before = await readAll();
  const rows = [{ title: 'five' }, { title: 'bad' }];
  const response = await site().app.emit('system-model-import', { schema: 'task', rows, dry_run: true });
  assert.is(response.getStatus(), 422);
  assert.is(await readAll(), before);
  await hear();
});

heardOf('a row that names a later one is told once its link is there', async () => {
  const rows = [
    { person_id: 1, name: 'Ann', chief_id: 2 },
    { person_id: 2, name: 'Ben' },
  ];
  await site().emit('system-model-import', { schema: 'person', rows });
  assert.equal(
    (await hear()).map(([, , { person_name, chief_id }]) => [person_name, chief_id]),
    [
      ['Ben', null],
      ['Ann', 2],
    ],
  );
  const bad = [
    { person_id: 3, name: 'bad', chief_id: 4 },
    { person_id: 4, name: 'Cleo' },
  ];
  const response = await site().app.emit('system-model-import', { schema: 'person', rows: bad });
  assert.equal([response.getStatus(), response.getMessage()], [422, 'Row 1: Not this one']);
  assert.is((await site().rows('person')).length, 2);
});

heardOf('ends', () => site().close());

heardOf.run();
