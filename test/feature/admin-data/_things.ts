import { boot, type Site } from '../../boot.ts';

const THING = {
  name: 'thing',
  singular: 'Thing',
  plural: 'Things',
  display: '{{thing_name}}',
  fields: [
    { name: 'name', type: 'text', searchable: true, sortable: true, filterable: true },
    { name: 'price', type: 'price', sortable: true, filterable: true },
    {
      name: 'kind',
      type: 'select',
      filterable: true,
      options: [
        { key: 'a', value: 'Apple' },
        { key: 'b', value: 'Banana' },
      ],
    },
    { name: 'on', type: 'switch', filterable: true },
    { name: 'note', type: 'text' },
    { name: 'meta', type: 'meta', filterable: true },
    { name: 'active', type: 'active' },
    { name: 'created', type: 'created', sortable: true },
  ],
  relations: [
    { schema: 'profile', kind: '1:1' },
    { schema: 'article', kind: 'N:N' },
  ],
};
const BOX = {
  name: 'box',
  singular: 'Box',
  plural: 'Boxes',
  fields: [
    { name: 'name', type: 'text' },
    { name: 'text', type: 'textarea' },
  ],
};
const TAG = {
  ...{ name: 'tag', singular: 'Tag', plural: 'Tags', fields: [{ name: 'name', type: 'text' }] },
  relations: [{ schema: 'box', kind: '1:1' }],
};
const EDITOR = {
  slug: 'editor',
  name: 'Editor',
  permissions: [{ method: 'all', path: '/admin/system/model/**' }],
  data: {
    thing: { search: { read: ['*', '-price'] }, detail: { read: ['*', '-price'] }, update: { write: ['name'] } },
  },
};

/** Starts a project with things 1 to 12, of which the last is removed, and two people: an admin and an editor. */
export async function startThings() {
  const site = await boot({
    files: {
      'config/schema/thing.json': THING,
      'config/schema/box.json': BOX,
      'config/schema/tag.json': TAG,
      'config/role/editor.json': EDITOR,
    },
  });
  const admin = await site.as('Ada', ['admin']);
  const editor = await site.as('Ed', ['editor']);
  for (let number = 1; number <= 12; number += 1) await addThing(site, number);
  await site.emit('system-model-remove', { schema: 'thing', thing_id: 12 });
  return { site, admin, editor };
}

const addThing = (site: Site, number: number) =>
  site.emit('system-model-create', {
    schema: 'thing',
    thing_name: number === 3 ? '<b>Three</b>' : `Thing ${number}`,
    thing_price: number * 1.5,
    thing_kind: number % 2 === 0 ? 'b' : 'a',
    thing_on: number % 2,
    thing_note: number === 5 ? '=1+2' : `note ${number}`,
    thing_meta: { size: String(number) },
    profile_id: 1,
  });

export type Things = Awaited<ReturnType<typeof startThings>>;
