import * as z from 'zod';
import { defer } from '../../core/memoize.ts';
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
  'decimal',
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
  'computed',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

const Scalar = defer(() => z.union([z.string(), z.number()]));

export const Validation = defer(() =>
  z.strictObject({
    method: z.string().min(1).describe('Rule, such as `required`, `unique`, `email`, `char_lte`, `regexp`.'),
    parameters: z
      .union([z.string(), z.number(), z.array(Scalar)])
      .optional()
      .describe('Parameter of the rule: a number, a text, a column, a pattern or a list.'),
    message: z.string().min(1).optional().describe('Error message if the value breaks the rule.'),
  }),
);
export type Validation = z.infer<typeof Validation>;

export const Format = defer(() =>
  z.strictObject({
    format: z
      .string()
      .min(1)
      .describe('How the value is shown, such as `none`, `hide`, `length`, `relative`, `markdown`.'),
    parameters: z.array(Scalar).optional().describe('Parameters of the format, such as a number of characters.'),
  }),
);
export type Format = z.infer<typeof Format>;

const Option = defer(() =>
  z.strictObject({
    key: z.string().describe('Stored value.'),
    value: z.string().describe('Label that users see.'),
  }),
);

// Event handlers such as onclick would be script in a page.
const Attributes = defer(() =>
  z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .refine(
      (map) => Object.keys(map).every((key) => /^(?!on)[a-z][a-z0-9-]*$/i.test(key)),
      'must hold HTML attribute names, and none that starts with "on"',
    ),
);

/** Keys of a computed field. */
const computedKeys = () => ({
  expression: z
    .string()
    .min(1)
    .optional()
    .describe(
      'What a `computed` field is computed of: fields of its row, `relation.count` and `relation.sum(field)`, such as `price * quantity`.',
    ),
  stored: z
    .boolean()
    .optional()
    .describe(
      'Whether the table has a column of a `computed` field, which the database keeps right, so that it may be `unique` and in `indexes`. Default false: computed when it is read.',
    ),
});

export const Field = defer(() =>
  z.strictObject({
    name: toName('Name of the field; the column is `<schema>_<name>`.'),
    label: toLabel('Label on forms and in the docs. Default: made from the name.').optional(),
    type: z.enum(FIELD_TYPES).describe('Field type: how the value is entered, checked, stored and shown.'),
    was: toFormerNames('Former name, so that the migration renames and keeps the data.').optional(),
    description: z.string().optional().describe('What the field holds, for forms and the docs.'),
    attributes: Attributes.optional().describe(
      'HTML attributes of the input, such as `placeholder`, `min`, `max`, `step`.',
    ),
    precision: z.int().min(1).max(15).optional().describe('Digits of a `decimal` in all, 1 to 15. Default 15.'),
    scale: z
      .int()
      .min(0)
      .max(15)
      .optional()
      .describe('Digits of a `decimal` after the point, at most `precision`. Default 2.'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be a currency of ISO 4217, such as EUR')
      .optional()
      .describe('Currency of a `decimal` by ISO 4217, such as `EUR`, which pages and the admin section show.'),
    ...computedKeys(),
    options: z.array(Option).optional().describe('Choices of `select`, `radios`, `multiselect` and `checkboxes`.'),
    columns: z.array(z.string().min(1)).optional().describe('Column names of a `table`.'),
    fieldset: toName('Name of the fieldset, for type `fieldset`.').optional(),
    multiple: z.boolean().optional().describe('Whether a `fieldset` is a list of groups. Default false.'),
    default: z.unknown().optional().describe('Value for a new row that has none. `NOW()` is the current time.'),
    required: z
      .boolean()
      .optional()
      .describe('Whether a row must have a value. The database enforces it too. Default false.'),
    unique: z
      .boolean()
      .optional()
      .describe('Whether every row must have a different value. The database enforces it. Default false.'),
    write: z
      .literal('server')
      .optional()
      .describe(
        '`server`: only code sets the value. A request may not bring it: it is in no body, form, document or client.',
      ),
    private: z
      .boolean()
      .optional()
      .describe(
        'Whether only the profile that the row belongs to, roles that name the field in `read`, and administrators see it. Nobody else can filter, sort or group by it, and a web hook has it only if its `fields` name it. Default false.',
      ),
    searchable: z.boolean().optional().describe('Whether `q` searches the words of this field. Default false.'),
    filterable: z.boolean().optional().describe('Whether `filter` may name it. Default false.'),
    sortable: z.boolean().optional().describe('Whether `sort` may name it. Default false.'),
    validation: z.array(Validation).optional().describe('Rules, checked in order.'),
    list: Format.optional().describe('How the value is shown in lists.'),
    detail: Format.optional().describe('How the value is shown on the page of a row.'),
  }),
);
export type Field = z.infer<typeof Field>;

export const Relation = defer(() =>
  z.strictObject({
    schema: toName('Name of the related schema.'),
    kind: z
      .enum(RELATION_KINDS)
      .describe('`1:1` exactly one, `1:0` at most one, `1:N` many children with one parent each, `N:N` many to many.'),
    name: toName(
      'Name of the relation. Needed for a second relation to the same schema, and for a relation of a schema to itself. Default: the name of the related schema.',
    ).optional(),
    was: toFormerNames('Former name, so that the migration renames and keeps the links.').optional(),
    onRemove: z
      .enum(['restrict', 'cascade', 'clear'])
      .optional()
      .describe(
        'What happens to rows that refer to a removed row: `restrict` refuses the removal, `cascade` removes them too, `clear` clears their link.',
      ),
    tree: z
      .boolean()
      .optional()
      .describe(
        'Whether the rows form a tree: no row may be below itself, and a filter finds what is `below` and `above` a row. For a `1:0` or `1:N` of a schema to itself. Default false.',
      ),
    order: z
      .string()
      .min(1)
      .optional()
      .describe('Field with whole numbers that the children of a row are in the order of. Default: the primary key.'),
  }),
);
export type Relation = z.infer<typeof Relation>;

export const Unique = defer(() =>
  z.strictObject({
    columns: z
      .array(z.string().min(1))
      .min(2)
      .max(16)
      .describe('Columns, such as `talk_id`: of fields, and of relations that the table holds.'),
    message: z.string().min(1).optional().describe('Error message if another row has the same values.'),
  }),
);
export type Unique = z.infer<typeof Unique>;

export const Exclude = defer(() =>
  z.strictObject({
    columns: z
      .array(z.string().min(1))
      .max(16)
      .optional()
      .describe(
        'Columns or fields, and keys of relations that the table holds, such as `tool_id`: rows with the same values share a timeline. Default none: all rows of the table share one.',
      ),
    range: z
      .array(z.string().min(1))
      .length(2)
      .describe(
        'Two fields of one type, the start and the end of the period: `["from", "until"]`. The start belongs to it, the end does not. A missing start or end is open.',
      ),
    message: z.string().min(1).optional().describe('Error message if the period of another row overlaps.'),
  }),
);
export type Exclude = z.infer<typeof Exclude>;

/** Most columns of an index. */
const INDEX_COLUMNS = 8;

export const Index = defer(() =>
  z.strictObject({
    columns: z
      .array(
        z.string().regex(/^-?[a-z][A-Za-z0-9_-]*$/, 'must be a column or a field, with "-" before it to sort it down'),
      )
      .min(1)
      .max(INDEX_COLUMNS)
      .describe(
        'Columns or fields in order, and keys of relations, such as `profile_id`; `-` sorts from the last value to the first: `["published", "-views"]`.',
      ),
    where: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'Which rows it holds, in the grammar of a search: `{ "published": true }`. Operators `eq`, `ne`, `lt`, `lte`, `gt`, `gte`, `between`, `in`, `null`, with fixed values. A search that fixes the same condition uses it. Default all rows.',
      ),
  }),
);
export type Index = z.infer<typeof Index>;

export const Schema = defer(() =>
  z.strictObject({
    $schema: jsonSchemaKey.optional(),
    name: toName('Name of the schema. It is also the name of the file and the table, and the prefix of the columns.'),
    singular: toLabel('Label of one, such as `Article`.'),
    plural: toLabel('Label of many, such as `Articles`.'),
    was: toFormerNames('Former name, so that the migration renames and keeps the data.').optional(),
    icon: z
      .string()
      .optional()
      .describe('Icon in the admin section: a name of https://lucide.dev/icons, such as `newspaper`.'),
    description: z.string().optional().describe('What a row represents, for the admin section and the docs.'),
    display: z.string().optional().describe('Template for the label of a row, such as `{{article_title}}`.'),
    page: z
      .string()
      .max(500)
      .optional()
      .describe(
        'Path of the page of a row, with its columns: `/article/{{article_slug}}`. It says that the page is public: `/sitemap.xml` lists the rows that a visitor may see.',
      ),
    history: z
      .boolean()
      .optional()
      .describe('`false` keeps no history of its rows. Default true, for as long as `history.days` of the settings.'),
    fields: z.array(Field).min(1).describe('Fields, in the order of the forms and the columns.'),
    relations: z.array(Relation).optional().describe('Relations that this schema declares.'),
    unique: z
      .array(Unique)
      .optional()
      .describe(
        'Columns that no two rows may have alike together. The database enforces it. Softly removed rows do not count, nor does a row without a value in one of the columns.',
      ),
    exclude: z
      .array(Exclude)
      .optional()
      .describe(
        'Periods of two fields that no two rows may have overlapping, such as reservations of one tool. The database enforces it. Softly removed rows do not count, nor does a row without a value in one of the columns.',
      ),
    indexes: z
      .array(Index)
      .max(30)
      .optional()
      .describe(
        'Indexes of several columns, or of some rows, for searches that are slow without. Treadle makes those of single columns by itself: of keys, and of fields that are filterable, sortable or unique.',
      ),
  }),
);
export type Schema = z.infer<typeof Schema>;

export const Fieldset = defer(() =>
  z.strictObject({
    $schema: jsonSchemaKey.optional(),
    name: toName('Name of the fieldset, the same as the file name.'),
    singular: toLabel('Label of one, such as `Address`.'),
    plural: toLabel('Label of many, such as `Addresses`.'),
    fields: z.array(Field).min(1).describe('Fields of the group, in order.'),
  }),
);
export type Fieldset = z.infer<typeof Fieldset>;
