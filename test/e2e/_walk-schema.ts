import { FIELD_TYPES } from '../../src/model/shape.ts';
import type { Hand } from './_hand.ts';

/** Waits until the page shows a text. */
export const sees = (hand: Hand, text: string | RegExp): Promise<void> =>
  hand.page.locator('body').getByText(text).filter({ visible: true }).first().waitFor();

/** A field: its name, its type, and what is typed into its form by label. A value of `true` ticks a box. */
interface WalkField {
  readonly name: string;
  readonly type: string;
  readonly isRequired?: boolean;
  readonly more?: Readonly<Record<string, string | true>>;
}

export interface WalkSchema {
  readonly kind: 'Schemas' | 'Field sets';
  readonly name: string;
  readonly labels?: readonly [one: string, many: string];
  readonly fields: readonly WalkField[];
  /** Sentence in the middle, other schema. */
  readonly relations?: readonly (readonly [kind: string, schema: string])[];
}

const COLOURS = { Choices: 'red=Red\ngreen=Green' };
const MORE: Readonly<Record<string, WalkField['more']>> = {
  select: COLOURS,
  radios: COLOURS,
  multiselect: COLOURS,
  checkboxes: COLOURS,
  table: { 'Columns of a table': 'name\ncount' },
  fieldset: { 'Field set': 'line' },
  computed: { Expression: '1 + 1' },
};
const IN_ARTICLE = ['text', 'slug', 'datetime', 'wysiwyg', 'active', 'created', 'updated'];

/** Types whose controls a person uses in different ways: one for each way. */
const SHORT: readonly string[] = [
  ...['textarea', 'decimal', 'stars', 'date', 'checkbox', 'radios', 'multiselect', 'file', 'filelist', 'textlist'],
  ...['wysiwyglist', 'meta', 'latlng', 'fieldset', 'table', 'computed'],
];

/** The types of the fields of samples. */
export const listTypes = (isShort: boolean): readonly string[] =>
  FIELD_TYPES.filter((type) => (isShort ? SHORT.includes(type) : !IN_ARTICLE.includes(type) && type !== 'color'));

/** Schemas with a field of each type between them, or of those of a short walk, and two relations. */
export const listSchemas = (isShort: boolean): readonly WalkSchema[] => [
  {
    kind: 'Field sets',
    name: 'line',
    fields: [
      { name: 'what', type: 'text', isRequired: true },
      { name: 'amount', type: 'price' },
    ],
  },
  {
    kind: 'Schemas',
    name: 'topic',
    fields: [
      { name: 'name', type: 'text', isRequired: true, more: { Searchable: true } },
      { name: 'tint', type: 'color' },
    ],
  },
  {
    kind: 'Schemas',
    name: 'sample',
    labels: ['Sample', 'Samples'],
    fields: [
      { name: 'label', type: 'text', more: { Searchable: true } },
      ...listTypes(isShort).map((type) => ({
        name: type === 'none' ? 'nothing' : type,
        type,
        ...(MORE[type] === undefined ? {} : { more: MORE[type] }),
      })),
    ],
  },
  {
    kind: 'Schemas',
    name: 'article',
    fields: [
      { name: 'title', type: 'text', isRequired: true, more: { Searchable: true, Sortable: true } },
      { name: 'slug', type: 'slug' },
      { name: 'category', type: 'text', more: { Filterable: true } },
      { name: 'author', type: 'text' },
      { name: 'published', type: 'datetime' },
      { name: 'detail', type: 'wysiwyg' },
    ],
    relations: [
      ['has many (1:N)', 'sample'],
      ['has many, and is had by many (N:N)', 'topic'],
    ],
  },
];

async function addField(hand: Hand, { name, type, isRequired = false }: WalkField): Promise<void> {
  await hand.write('Add a field > Name', name);
  await hand.choose('Add a field > Type', type);
  if (isRequired) await hand.tick('Add a field > Required');
  await hand.press('Add a field > Add the field');
}

async function editField(hand: Hand, { name, more = {} }: WalkField): Promise<void> {
  await hand.press(`Edit ${name}`);
  for (const [label, value] of Object.entries(more)) {
    const way = `Field ${name} > ${label}`;
    if (value === true) await hand.tick(way);
    else if (label === 'Field set') await hand.choose(way, value);
    else await hand.write(way, value);
  }
}

/** Moves a field up and down again: its menu stays open, with the focus on the button. */
async function moveField(hand: Hand, name: string): Promise<void> {
  await hand.unfold(`More for ${name}`);
  await hand.press(`Move up ${name}`);
  await hand.press(`Move down ${name}`);
}

/** Makes a schema or a field set by its form. */
export async function defineSchema(hand: Hand, schema: WalkSchema): Promise<void> {
  const { kind, name, labels, fields, relations = [] } = schema;
  await hand.menu(kind);
  await hand.follow('New');
  await hand.write('Name', name);
  if (labels !== undefined) {
    await hand.write('Label of one', labels[0]);
    await hand.write('Label of many', labels[1]);
  }
  for (const field of fields) await addField(hand, field);
  for (const field of fields) if (field.more !== undefined) await editField(hand, field);
  if (fields.length > 1) await moveField(hand, String(fields[1]?.name));
  for (const [sentence, other] of relations) {
    await hand.choose('Add a relation > Each row', sentence);
    await hand.choose('Add a relation > Related schema', other);
    await hand.press('Add a relation > Add the relation');
  }
  await hand.press('Save');
  await sees(hand, `Saved ${toFile(schema)}`);
}

/** Looks at what the database lacks: `treadle dev` has migrated with each save. */
export async function seeMigration(hand: Hand): Promise<void> {
  await hand.menu('Migrations');
  await sees(hand, 'Nothing: it has all that the files of the project ask for.');
}

export const toFile = ({ kind, name }: WalkSchema): string =>
  `config/${kind === 'Schemas' ? 'schema' : 'fieldset'}/${name}.json`;

/** The command that makes the same file. */
export function toCommand({ kind, name, labels, fields, relations = [] }: WalkSchema): string[] {
  return [
    ...[kind === 'Schemas' ? 'schema' : 'fieldset', 'create', name],
    ...(labels === undefined ? [] : ['--singular', labels[0], '--plural', labels[1]]),
    ...fields.flatMap((field) => ['--field', toFieldText(field)]),
    ...relations.flatMap(([sentence, other]) => ['--relation', `${other}=${/\((.+)\)/.exec(sentence)?.[1]}`]),
  ];
}

const toLines = (text: unknown): string[] => String(text).split('\n');

function toFieldText({ name, type, isRequired = false, more = {} }: WalkField): string {
  return JSON.stringify({
    name,
    type,
    ...('Choices' in more
      ? { options: toLines(more.Choices).map((line) => ({ key: line.split('=')[0], value: line.split('=')[1] })) }
      : {}),
    ...('Columns of a table' in more ? { columns: toLines(more['Columns of a table']) } : {}),
    ...('Field set' in more ? { fieldset: more['Field set'] } : {}),
    ...('Expression' in more ? { expression: more.Expression } : {}),
    ...(isRequired ? { required: true } : {}),
    ...('Searchable' in more ? { searchable: true } : {}),
    ...('Filterable' in more ? { filterable: true } : {}),
    ...('Sortable' in more ? { sortable: true } : {}),
  });
}

export const PASSWORD = 'a few random words';

/** Signs up by the link that `treadle dev` prints; the admin section is the next page. */
export async function becomeAdministrator(hand: Hand, link: string): Promise<void> {
  await hand.visit(link);
  await hand.write('Your name', 'Ada');
  await hand.write('E-mail', 'ada@example.org');
  await hand.write('Password', PASSWORD);
  await hand.write('Password again', PASSWORD);
  await hand.press('Create the administrator');
  await sees(hand, 'Needs attention');
}
