import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/row-statement.ts';
import type { Answer, Client, Form } from '../../client.ts';
import { readForm } from '../../form-post.ts';
import { type PrivateWorld, startPrivateWorld } from './_private.ts';
import { writeRoles } from './_site.ts';

/**
 * Whoever sees no private value of a row writes that row by every way there is. What is private stays what it was, unless the
 * person sends a value of its own: `private` rules what is seen, and `write` what is written. No answer tells what it was.
 */
const test = suite('roles: private fields by writers');

const flags = { filterable: true, sortable: true };
const FIELDS: readonly Row[] = [
  { name: 'title', type: 'text', ...flags },
  { name: 'score', type: 'number', private: true, default: 5 },
  { name: 'data', type: 'rawjson', private: true },
  { name: 'hobby', type: 'tag', private: true },
  { name: 'bio', type: 'markdown', private: true },
  { name: 'vip', type: 'checkbox', private: true },
];
const PRIVATE = {
  profile_phone: 'P-ann',
  profile_score: 7701,
  profile_data: { key: 'P-ann' },
  profile_hobby: ['P-ann'],
  profile_bio: 'P-ann',
  profile_vip: 1,
};
const COLUMNS = Object.keys(PRIVATE);
const MARK = /P-ann|7701/;
const MODEL = '/admin/system/model/profile';

const at = {} as { world: PrivateWorld; ann: number; clerk: Client; owner: Client };

test('a world', async () => {
  at.world = await startPrivateWorld({}, [], (project) => {
    project.edit<{ fields: Row[] }>('config/schema/profile.json', ({ fields }) => void fields.push(...FIELDS));
    writeRoles(project, [{ slug: 'clerk', permissions: ['all:/admin/**'] }]);
    for (const action of ['update', 'remove', 'restore', 'batch', 'import']) {
      const name = `w-${action}`;
      project.write(`config/rest/${name}.json`, {
        title: name,
        access: 'user',
        own: false,
        method: action === 'update' ? 'put' : 'post',
        path: `/user/w/${action}${action === 'batch' || action === 'import' ? '' : '/:profile_id'}`,
        event: `system-model-${action}`,
        parameters: { schema: 'profile' },
      });
      project.edit<{ calls: string[] }>('config/scope/all.json', ({ calls }) => void calls.push(name));
    }
  });
  at.ann = at.world.profiles.ann as number;
  at.clerk = at.world.browsers.cleo as Client;
  at.owner = at.world.browsers.ann as Client;
});

const readStored = async (): Promise<Row> => {
  const { app } = at.world.world.site;
  const { kysely } = app.services.database;
  const row = await kysely.selectFrom('profile').selectAll().where('profile_id', '=', at.ann).executeTakeFirstOrThrow();
  const parse = (value: unknown): unknown =>
    typeof value === 'string' && /^[[{]/.test(value) ? JSON.parse(value) : value;
  return Object.fromEntries(COLUMNS.map((name) => [name, parse((row as Row)[name])]));
};

/** Sets the row as its owner left it. */
async function putBack(): Promise<void> {
  const { app } = at.world.world.site;
  await app.emit('system-model-update', { schema: 'profile', profile_id: at.ann, profile_title: 'one', ...PRIVATE });
}

/** Sends a file to the import of the admin section, and imports it. */
async function importFile(client: Client, text: string): Promise<Answer> {
  const file = `--xx\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n${text}`;
  const headers = { 'content-type': 'multipart/form-data; boundary=xx' };
  const sent = await client.send('POST', `${MODEL}/import`, { headers, body: `${file}\r\n--xx--\r\n` });
  assert.is(sent.status, 303, sent.text);
  const page = await client.get(sent.location);
  const form = { ...readForm(page.text, 'id="t-import"'), action: 'import' };
  return client.send('POST', sent.location, { form: form as Form });
}

const detailForm = async (client: Client): Promise<Form> =>
  readForm((await client.get(`${MODEL}/update/${at.ann}`)).text) as Form;

const VALUES: Row = {
  profile_phone: 'X',
  profile_score: 1,
  profile_data: { key: 'X' },
  profile_hobby: ['X'],
  profile_bio: 'X',
  profile_vip: 0,
};
const NULLS: Row = Object.fromEntries(COLUMNS.map((name) => [name, null]));
const TEXTS: Record<string, string> = Object.fromEntries(
  Object.entries(VALUES).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]),
);

type Way = (client: Client, person: string) => Promise<{ readonly status: number; readonly text: string }>;
const call =
  (path: string, json: unknown, method = 'POST'): Way =>
  (_, person) =>
    at.world.call(`/rest/user/w/${path.replace('ID', String(at.ann))}`, person, {
      method,
      json: JSON.parse(JSON.stringify(json).replaceAll('"ID"', String(at.ann))),
    });

interface WriteWay {
  readonly write: Way;
  /** The title that the row has after it; undefined: whether it is done does not matter. */
  readonly title?: string;
  /** True if the person sends values of his own. */
  readonly sets?: boolean;
}

const WAYS: Readonly<Record<string, WriteWay>> = {
  'the form as it came': {
    title: 'form',
    write: async (client) =>
      client.post(`${MODEL}/update/${at.ann}`, { ...(await detailForm(client)), profile_title: 'form' }),
  },
  'the form with forged fields': {
    sets: true,
    write: async (client) =>
      client.post(`${MODEL}/update/${at.ann}`, { ...(await detailForm(client)), ...TEXTS, profile_title: 'forged' }),
  },
  'the form with fields left out': {
    write: async (client) => {
      const form = await detailForm(client);
      const emptied = Object.fromEntries(COLUMNS.map((name) => [name, '']));
      return client.post(`${MODEL}/update/${at.ann}`, { ...form, ...emptied, profile_title: 'left' });
    },
  },
  'a cell of the list': {
    title: 'cell',
    write: async (client) => {
      const path = `${MODEL}/cell/${at.ann}/profile_title`;
      const { text } = await client.get(path);
      return client.post(path, { ...(readForm(text, 'profile_title') as Form), profile_title: 'cell' });
    },
  },
  ...Object.fromEntries(
    COLUMNS.map((name) => [
      `the cell of ${name}`,
      {
        sets: true,
        write: (client: Client) => client.post(`${MODEL}/cell/${at.ann}/${name}`, { [name]: TEXTS[name] as string }),
      },
    ]),
  ),
  ...Object.fromEntries(
    COLUMNS.map((name) => [
      `a bulk change of ${name}`,
      {
        sets: true,
        write: (client: Client) =>
          client.post(`${MODEL}/search`, {
            ...{ action: 'change', column: name, [name]: TEXTS[name] as string, value: TEXTS[name] as string },
            ...{ 'ids[]': [String(at.ann)], confirm: '1' },
          }),
      },
    ]),
  ),
  'an export as CSV that is imported again': {
    write: async (client) => {
      const { text } = await client.get(`${MODEL}/export?format=csv`);
      return importFile(client, text);
    },
  },
  'an export as NDJSON that is imported again': {
    write: async (client) => {
      const { text } = await client.get(`${MODEL}/export?format=ndjson`);
      return importFile(client, text);
    },
  },
  'an import of the private columns alone': {
    sets: true,
    write: (client) => importFile(client, `profile_id,${COLUMNS.join(',')}\n${at.ann},X,1,,,X,0,\n`),
  },
  'an import that leaves them empty': {
    write: (client) => importFile(client, `profile_id,${COLUMNS.join(',')}\n${at.ann},,,,,,,\n`),
  },
  'a call': { write: call('update/ID', { profile_title: 'call' }, 'PUT'), title: 'call' },
  'a call with values': { sets: true, write: call('update/ID', { profile_title: 'with', ...VALUES }, 'PUT') },
  'a call with nothing': { sets: true, write: call('update/ID', NULLS, 'PUT') },
  'a batch': {
    sets: true,
    write: call('batch', { operations: [{ action: 'update', id: 'ID', values: VALUES }] }),
  },
  'a call to import': { sets: true, write: call('import', { rows: [{ profile_id: 'ID', ...VALUES }] }) },
  'a call to import nothing': { sets: true, write: call('import', { rows: [{ profile_id: 'ID', ...NULLS }] }) },
  'an event in a page': {
    sets: true,
    write: async (client) => {
      const query = new URLSearchParams({ schema: 'profile', profile_id: String(at.ann), ...TEXTS });
      return client.get(`/door/system-model-update?${query}`);
    },
  },
};

for (const [label, { write, title, sets }] of Object.entries(WAYS))
  test(`${label}: what is private to another stays, and nobody is told it`, async () => {
    await putBack();
    assert.equal(await readStored(), PRIVATE);
    const isAdmin = !label.includes('call') && !label.includes('batch') && !label.includes('event');
    for (const person of isAdmin ? ['cleo'] : ['ben', 'cleo']) {
      const { status, text } = await write(at.world.browsers[person] as Client, person);
      const told = `${person}: ${status} ${text.slice(0, 1000)}`;
      if (sets !== true) assert.equal(await readStored(), PRIVATE, told);
      assert.not.match(text, MARK, told);
      if (title === undefined) continue;
      assert.ok(status < 400, told);
      const { text: now } = await at.clerk.get(`${MODEL}/detail/${at.ann}`);
      assert.match(now, title, told);
    }
  });

test('every change of the row is taken back by somebody who sees none of it', async () => {
  await putBack();
  const { app } = at.world.world.site;
  const { kysely } = app.services.database;
  const changes: readonly Row[] = [
    { profile_title: 'two', profile_phone: 'P-ann2' },
    { profile_score: 7702 },
    { profile_title: 'three' },
  ];
  for (const change of changes)
    await app.emit('system-model-update', { schema: 'profile', profile_id: at.ann, ...change });
  const kept = await readStored();
  const entries = (await kysely
    .selectFrom('treadle_history')
    .selectAll()
    .where('subject', '=', 'profile')
    .execute()) as Row[];
  const own = entries.filter((entry) => Number(entry.row_id) === at.ann);
  assert.ok(own.length > 3);
  for (const { history_id: id } of own)
    for (const version of ['before', 'after']) {
      const page = await at.clerk.get(`/admin/history/${id}`);
      assert.not.match(page.text, MARK);
      const answer = await at.clerk.post(`/admin/history/${id}/revert`, { version });
      assert.not.match(answer.text, MARK);
      assert.equal(await readStored(), kept, `${id} ${version}: ${answer.status}`);
    }
});

test('a removal and a restoration by another keep what is private', async () => {
  await putBack();
  for (const action of ['remove', 'restore']) {
    const asked = { action, 'ids[]': [String(at.ann)], confirm: '1' };
    const answer = await at.clerk.post(`${MODEL}/search`, asked);
    assert.not.match(answer.text, MARK);
    assert.equal(await readStored(), PRIVATE, action);
  }
});

test('the owner changes it', async () => {
  await putBack();
  const answer = await at.world.call(`/rest/user/w/update/${at.ann}`, 'ann', { method: 'PUT', json: VALUES });
  assert.is(answer.status, 200, answer.text);
  assert.equal(await readStored(), VALUES);
  const { text } = await at.clerk.get('/admin/history');
  assert.not.match(text, MARK);
});

test('is closed', () => at.world.world.close());

test.run();
