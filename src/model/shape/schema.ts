import * as z from 'zod';
import { jsonSchemaKey, toFormerNames, toLabel, toName } from './text.ts';

export const RELATION_KINDS = ['1:1', '1:0', '1:N', 'N:N'] as const;
export type RelationKind = (typeof RELATION_KINDS)[number];

export const FIELD_TYPES = [
  'none',
  'text',
  'email',
  'password',
  'search',
  'url',
  'mask',
  'slug',
  'color',
  'textarea',
  'wysiwyg',
  'markdown',
  'code',
  'number',
  'range',
  'small',
  'float',
  'price',
  'stars',
  'date',
  'time',
  'datetime',
  'week',
  'month',
  'checkbox',
  'switch',
  'select',
  'countrylist',
  'radios',
  'multiselect',
  'checkboxes',
  'file',
  'image',
  'filelist',
  'imagelist',
  'tag',
  'textlist',
  'textarealist',
  'wysiwyglist',
  'meta',
  'latlng',
  'rawjson',
  'fieldset',
  'table',
  'multirange',
  'uuid',
  'ipaddress',
  'active',
  'created',
  'updated',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

const Scalar = z.union([z.string(), z.number()]);

export const Validation = z.strictObject({
  method: z.string().min(1).describe('Rule, such as `required`, `unique`, `email`, `char_lte`, `regexp`.'),
  parameters: z
    .union([z.string(), z.number(), z.array(Scalar)])
    .optional()
    .describe('What the rule compares with: a number, a text, a column, a pattern or a list.'),
  message: z.string().min(1).optional().describe('Said beside the field where the rule is broken.'),
});
export type Validation = z.infer<typeof Validation>;

export const Format = z.strictObject({
  format: z
    .string()
    .min(1)
    .describe('How the value is shown, such as `none`, `hide`, `length`, `relative`, `markdown`.'),
  parameters: z.array(Scalar).optional().describe('What the format takes, such as a number of characters.'),
});
export type Format = z.infer<typeof Format>;

const Option = z.strictObject({
  key: z.string().describe('Stored value.'),
  value: z.string().describe('Label that a person sees.'),
});

// Handlers such as onclick would be script in a page.
const Attributes = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .refine(
    (map) => Object.keys(map).every((key) => /^(?!on)[a-z][a-z0-9-]*$/i.test(key)),
    'must hold HTML attribute names, and none that starts with "on"',
  );

export const Field = z.strictObject({
  name: toName('Name of the field; the column is `<schema>_<name>`.'),
  label: toLabel('Label on forms and in the docs; made from the name if left out.').optional(),
  type: z.enum(FIELD_TYPES).describe('Field type: how the value is typed, prepared, stored and shown.'),
  was: toFormerNames('Former name, so that a rename keeps the data.').optional(),
  description: z.string().optional().describe('What the field holds, for forms and the docs.'),
  attributes: Attributes.optional().describe(
    'HTML attributes of the input, such as `placeholder`, `min`, `max`, `step`.',
  ),
  options: z.array(Option).optional().describe('Choices of `select`, `radios`, `multiselect` and `checkboxes`.'),
  columns: z.array(z.string().min(1)).optional().describe('Column names of a `table`.'),
  fieldset: toName('Name of the fieldset, for type `fieldset`.').optional(),
  multiple: z.boolean().optional().describe('Whether a `fieldset` is a list of groups. Default false.'),
  default: z.unknown().optional().describe('Value of a new row where none is sent; `NOW()` is the present time.'),
  required: z
    .boolean()
    .optional()
    .describe('Whether a row must have a value; held by the database too. Default false.'),
  unique: z
    .boolean()
    .optional()
    .describe('Whether no two rows may have one value; held by the database. Default false.'),
  searchable: z.boolean().optional().describe('Whether the words of `q` are looked for in it. Default false.'),
  filterable: z.boolean().optional().describe('Whether `filter` may name it. Default false.'),
  sortable: z.boolean().optional().describe('Whether `sort` may name it. Default false.'),
  validation: z.array(Validation).optional().describe('Rules, checked in order.'),
  list: Format.optional().describe('How the value is shown in lists.'),
  detail: Format.optional().describe('How the value is shown on its own page.'),
});
export type Field = z.infer<typeof Field>;

export const Relation = z.strictObject({
  schema: toName('Name of the schema that it leads to.'),
  kind: z
    .enum(RELATION_KINDS)
    .describe('`1:1` exactly one, `1:0` at most one, `1:N` many that have one parent each, `N:N` many to many.'),
  name: toName("Its own name, where two lead to one schema or to itself; else the schema's.").optional(),
  was: toFormerNames('Former name, so that a rename keeps the links.').optional(),
  onRemove: z
    .enum(['restrict', 'cascade', 'clear'])
    .optional()
    .describe(
      'What becomes of the row that points at a removed one: refuse the removal, remove it too, clear the link.',
    ),
});
export type Relation = z.infer<typeof Relation>;

export const Schema = z.strictObject({
  $schema: jsonSchemaKey.optional(),
  name: toName("Name of the schema: the file's name, the table, the prefix of its columns."),
  singular: toLabel('Label of one, such as `Article`.'),
  plural: toLabel('Label of many, such as `Articles`.'),
  was: toFormerNames('Former name, so that a rename keeps the data.').optional(),
  icon: z.string().optional().describe('Name of its icon in the admin section.'),
  description: z.string().optional().describe('What a row is, for the admin section and the docs.'),
  display: z.string().optional().describe('Label of a row, a template such as `{{article_title}}`.'),
  fields: z.array(Field).min(1).describe('Fields, in the order of forms and columns.'),
  relations: z.array(Relation).optional().describe('Relations that this schema declares.'),
});
export type Schema = z.infer<typeof Schema>;

export const Fieldset = z.strictObject({
  $schema: jsonSchemaKey.optional(),
  name: toName("Name of the fieldset: the file's name."),
  singular: toLabel('Label of one, such as `Address`.'),
  plural: toLabel('Label of many, such as `Addresses`.'),
  fields: z.array(Field).min(1).describe('Fields of the group, in order.'),
});
export type Fieldset = z.infer<typeof Fieldset>;
