import { type BootOptions, boot, type Site } from '../../boot.ts';

/** A schema without soft removal, with a secret, JSON, a number and a file. */
const THING = {
  name: 'thing',
  singular: 'Thing',
  plural: 'Things',
  fields: [
    { name: 'name', type: 'text', unique: true },
    { name: 'count', type: 'number' },
    { name: 'detail', type: 'textarea' },
    { name: 'facts', type: 'rawjson' },
    { name: 'pin', type: 'password' },
    { name: 'updated', type: 'updated' },
  ],
  relations: [{ schema: 'article', kind: 'N:N' }],
};
const PLAIN = {
  name: 'plain',
  singular: 'Plain',
  plural: 'Plains',
  history: false,
  fields: [{ name: 'name', type: 'text' }],
};

/** Types that the database may give in another form than it was given. */
const KINDS = {
  name: 'kind',
  singular: 'Kind',
  plural: 'Kinds',
  fields: [
    { name: 'text', type: 'text', searchable: true },
    { name: 'detail', type: 'wysiwyg', searchable: true },
    { name: 'integer', type: 'number' },
    { name: 'float', type: 'float' },
    { name: 'price', type: 'price' },
    { name: 'step', type: 'number', attributes: { step: 0.01 } },
    { name: 'on', type: 'checkbox' },
    { name: 'date', type: 'date' },
    { name: 'moment', type: 'datetime' },
    { name: 'time', type: 'time' },
    { name: 'tags', type: 'tag' },
    { name: 'facts', type: 'rawjson' },
    { name: 'level', type: 'number', default: 3 },
    { name: 'uuid', type: 'uuid' },
  ],
};

const call = (title: string, method: string, path: string, event: string, schema: string) => ({
  title,
  access: 'public',
  method,
  path,
  event,
  parameters: { schema },
});

export const bootHistory = (options: BootOptions = {}): Promise<Site> =>
  boot({
    ...options,
    files: {
      'config/schema/thing.json': THING,
      'config/schema/kind.json': KINDS,
      'config/schema/plain.json': PLAIN,
      'config/rest/thing-create.json': call('Create', 'post', '/public/thing', 'system-model-create', 'thing'),
      'config/rest/thing-batch.json': call('Batch', 'post', '/public/thing/batch', 'system-model-batch', 'thing'),
      ...options.files,
    },
  });

export interface Told {
  readonly subject: string;
  readonly row: number | null;
  readonly person: number | null;
  readonly action: string;
  readonly door: string;
  readonly source?: string;
  readonly address?: string;
  readonly request?: string;
  readonly changes?: Readonly<Record<string, unknown>>;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The entries as they are stored, oldest first. */
export async function readEntries(site: Site): Promise<Told[]> {
  const rows = await site.rows('treadle_history');
  return rows.map(({ subject, row_id, auth_id, entry }) => ({
    subject: String(subject),
    row: row_id === null ? null : Number(row_id),
    person: auth_id === null ? null : Number(auth_id),
    ...((typeof entry === 'string' ? JSON.parse(entry) : entry) as Omit<Told, 'subject' | 'row' | 'person'>),
  }));
}

/** The entries that work adds. */
export async function readNew(site: Site, work: () => Promise<unknown>): Promise<Told[]> {
  const before = (await readEntries(site)).length;
  await work();
  return (await readEntries(site)).slice(before);
}
