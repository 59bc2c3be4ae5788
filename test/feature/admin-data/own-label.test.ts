// Labels of the project's definitions are its own words, in each language; and a removal that other rows prevent says which.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../../boot.ts';
import type { Client } from '../../client.ts';

const test = suite("the project's labels in the admin section");

const schema = (name: string, singular: string, more: object = {}) => ({
  [`config/schema/${name}.json`]: {
    name,
    singular,
    plural: `${singular}s`,
    fields: [
      { name: 'name', label: 'Name', type: 'text' },
      { name: 'time', type: 'text' },
      { name: 'active', type: 'active' },
    ],
    ...more,
  },
});
const refers = { relations: [{ schema: 'event', kind: '1:1', onRemove: 'restrict' }] };
const role = (slug: string, data: object) => ({
  [`config/role/${slug}.json`]: { slug, name: 'Job', permissions: [{ method: 'all', path: '/admin/**' }], data },
});
const FILES = {
  ...schema('event', 'Event'),
  ...schema('ticket', 'Ticket', refers),
  ...schema('job', 'Job', refers),
  ...schema('backup', 'Backup'),
  ...role('staff', { ticket: { search: true, detail: true } }),
  ...role('gate', { ticket: { search: { filter: { ticket_time: 'now' } }, detail: true } }),
  ...role('office', { job: { search: true }, ticket: { search: true } }),
  'config/locale/de.json': { Events: 'Veranstaltungen', Ticket: 'Karte', Tickets: 'Karten' },
};
const german = { 'accept-language': 'de' };
const world = {} as { site: Site; admin: Client };

test.before(async () => {
  const site = await boot({ template: 'bare', files: FILES, settings: { languages: ['en', 'de'] } });
  Object.assign(world, { site, admin: await site.as('admin', ['admin']) });
  for (const event_name of ['Fair', 'Gala']) await site.emit('system-model-create', { schema: 'event', event_name });
  for (const ticket_time of ['now', 'later', 'later'])
    await site.emit('system-model-create', { schema: 'ticket', event_id: 1, ticket_time });
  await site.emit('system-model-create', { schema: 'job', event_id: 1 });
});
test.after(() => world.site?.close());

test("only the project's files translate a short label, so it is never another word of Treadle's", async () => {
  const { text } = await world.admin.get('/admin/system/model/event/search', german);
  assert.match(text, /<h1>Veranstaltungen<\/h1>/);
  assert.match(text, />Name</);
  assert.match(text, />Time</);
  assert.not.match(text, /Ereignis|>Zeit/);
  const form = (await world.admin.get('/admin/system/model/event/create', german)).text;
  assert.match(form, /Event/);
  assert.not.match(form, /Ereignis|>Zeit/);
  const roles = (await world.admin.get('/admin/system/model/role/search', german)).text;
  assert.match(roles, />Job</);
});

test("Treadle's own pages keep its words", async () => {
  const { text } = await world.admin.get('/admin/system/model/event/search', german);
  assert.match(text, /model\/backup\/search"[\s\S]{0,300}Backups</);
  assert.match(text, /Sicherungen</);
});

const remove = async (person: Client, headers: Readonly<Record<string, string>>): Promise<string> => {
  const { text } = await person.send('POST', '/admin/system/model/event/remove/1', {
    form: {},
    headers: { 'sec-fetch-site': 'same-origin', ...headers },
  });
  return text;
};

for (const [roles, language, expected] of [
  ['admin', 'de', 'Event 1 kann nicht entfernt werden: Darauf verweisen 1 Job und 3 Karten.'],
  ['staff', 'en', 'Event 1 cannot be removed: it is referenced by 3 Tickets and other rows.'],
  ['gate', 'en', 'Event 1 cannot be removed: it is referenced by 1 Ticket and other rows.'],
  ['office', 'en', 'Event 1 cannot be removed: it is referenced by 1 Job and 3 Tickets.'],
] as const)
  test(`a removal names the rows in the way that ${roles} may see (${language})`, async () => {
    const person = await world.site.as(roles, [roles]);
    const response = await remove(person, { 'accept-language': language });
    assert.ok(response.includes(expected), response.match(/Event 1[^<]*/)?.[0] ?? response.slice(0, 500));
  });

test.run();
