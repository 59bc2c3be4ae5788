// Creates a project of many schemas: a few fields each, relations, and three calls for each schema.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const toName = (index) => `item${String(index).padStart(4, '0')}`;
const toText = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Of three schemas one names a row of another, and one links to many: the same share in a project of any size. */
export function toRelations(index) {
  if (index % 3 === 1) return [{ schema: toName(index - 1), kind: 'N:N' }];
  if (index % 3 === 2) return [{ schema: toName(index - 1), kind: '1:0' }];
  return [];
}

export function toSchema(index) {
  const name = toName(index);
  return {
    name,
    singular: `Item ${index}`,
    plural: `Items ${index}`,
    description: `Items of kind ${index}`,
    display: `{{${name}_title}}`,
    fields: [
      {
        name: 'title',
        label: 'Title',
        type: 'text',
        searchable: true,
        sortable: true,
        validation: [{ method: 'required', message: 'Title is required' }],
      },
      { name: 'detail', label: 'Detail', type: 'textarea' },
      { name: 'count', label: 'Count', type: 'number', filterable: true },
      { name: 'active', type: 'active' },
      { name: 'created', type: 'created', sortable: true },
      { name: 'updated', type: 'updated' },
    ],
    ...(toRelations(index).length === 0 ? {} : { relations: toRelations(index) }),
  };
}

function toCalls(index) {
  const schema = toName(index);
  const call = (title, method, action, path) => [
    `public-${schema}-${action}`,
    {
      title,
      access: 'public',
      method,
      path: `/public/${schema}/${path}`,
      event: `system-model-${action}`,
      parameters: { schema },
      ...(action === 'create' ? { open: true } : {}),
    },
  ];
  return [
    call(`Search items ${index}`, 'get', 'search', 'search'),
    call(`Get an item ${index}`, 'get', 'detail', `detail/:${schema}_id`),
    call(`Create an item ${index}`, 'post', 'create', 'create'),
  ];
}

/** Writes the project into `folder`, which must not exist. */
export async function writeWideProject({ treadle, folder, schemas }) {
  const env = { ...process.env, CI: 'true' };
  await run(process.execPath, [treadle, 'create', folder, '--template', 'bare', '--no-install', '--no-git'], { env });
  const config = join(folder, 'config');
  for (const kind of ['schema', 'rest']) mkdirSync(join(config, kind), { recursive: true });
  for (let index = 0; index < schemas; index += 1) {
    writeFileSync(join(config, 'schema', `${toName(index)}.json`), toText(toSchema(index)));
    for (const [name, call] of toCalls(index)) writeFileSync(join(config, 'rest', `${name}.json`), toText(call));
  }
  const settings = join(config, 'settings.json');
  const given = JSON.parse(readFileSync(settings, 'utf8'));
  writeFileSync(settings, toText({ ...given, api: true, limits: { perMinute: 1_000_000 } }));
  return { schemaFile: (index) => join(config, 'schema', `${toName(index)}.json`) };
}
