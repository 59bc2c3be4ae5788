import { z } from 'zod';

// Draft by the architect: helper "model" completes every shape with .describe(), defaults and refinements of contract.md 2 and 3.
// Other folders rely on these names and on the inferred types only.

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

export const Validation = z.strictObject({
  method: z.string(),
  parameters: z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))]).optional(),
  message: z.string().optional(),
});
export type Validation = z.infer<typeof Validation>;

export const Format = z.strictObject({
  format: z.string(),
  parameters: z.array(z.union([z.string(), z.number()])).optional(),
});
export type Format = z.infer<typeof Format>;

export const Field = z.strictObject({
  name: z.string(),
  label: z.string().optional(),
  type: z.enum(FIELD_TYPES),
  was: z.string().optional(),
  description: z.string().optional(),
  attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  options: z.array(z.strictObject({ key: z.string(), value: z.string() })).optional(),
  columns: z.array(z.string()).optional(),
  fieldset: z.string().optional(),
  multiple: z.boolean().optional(),
  default: z.unknown().optional(),
  required: z.boolean().optional(),
  unique: z.boolean().optional(),
  searchable: z.boolean().optional(),
  filterable: z.boolean().optional(),
  sortable: z.boolean().optional(),
  validation: z.array(Validation).optional(),
  list: Format.optional(),
  detail: Format.optional(),
});
export type Field = z.infer<typeof Field>;

export const Relation = z.strictObject({
  schema: z.string(),
  kind: z.enum(RELATION_KINDS),
  name: z.string().optional(),
  was: z.string().optional(),
  onRemove: z.enum(['restrict', 'cascade', 'clear']).optional(),
});
export type Relation = z.infer<typeof Relation>;

export const Schema = z.strictObject({
  $schema: z.string().optional(),
  name: z.string(),
  singular: z.string(),
  plural: z.string(),
  was: z.string().optional(),
  icon: z.string().optional(),
  description: z.string().optional(),
  display: z.string().optional(),
  fields: z.array(Field),
  relations: z.array(Relation).optional(),
});
export type Schema = z.infer<typeof Schema>;

export const Fieldset = z.strictObject({
  $schema: z.string().optional(),
  name: z.string(),
  singular: z.string(),
  plural: z.string(),
  fields: z.array(Field),
});
export type Fieldset = z.infer<typeof Fieldset>;

export const ACCESS = ['public', 'app', 'user'] as const;
export type Access = (typeof ACCESS)[number];
export const REST_METHODS = ['all', 'get', 'post', 'put', 'patch', 'delete'] as const;
export type RestMethod = (typeof REST_METHODS)[number];

export const Rest = z.strictObject({
  $schema: z.string().optional(),
  title: z.string(),
  access: z.enum(ACCESS),
  method: z.enum(REST_METHODS),
  path: z.string(),
  event: z.string(),
  parameters: z.record(z.string(), z.unknown()).optional(),
  description: z.string().optional(),
  own: z.boolean().optional(),
});
export type Rest = z.infer<typeof Rest>;

export const Scope = z.strictObject({
  $schema: z.string().optional(),
  slug: z.string(),
  name: z.string(),
  access: z.enum(['app', 'user']),
  description: z.string().optional(),
  calls: z.array(z.string()),
});
export type Scope = z.infer<typeof Scope>;

export const Hook = z.strictObject({
  $schema: z.string().optional(),
  title: z.string(),
  event: z.string(),
  parameters: z.record(z.string(), z.unknown()).optional(),
  type: z.string(),
  audience: z.enum(['app', 'user']).optional(),
  method: z.enum(['post', 'put']).optional(),
  url: z.string().optional(),
  delivery: z.enum(['queued', 'inline']).optional(),
  secretVersion: z.number().int().min(1).optional(),
  description: z.string().optional(),
});
export type Hook = z.infer<typeof Hook>;

export const App = z.strictObject({
  $schema: z.string().optional(),
  title: z.string(),
  clientId: z.string(),
  secretHash: z.string().optional(),
  owner: z.string().optional(),
  website: z.string().optional(),
  redirectUris: z.array(z.string()).optional(),
  scopes: z.array(z.string()).optional(),
  webhook: z.string().optional(),
  hooks: z.array(z.string()).optional(),
  rememberConsent: z.boolean().optional(),
});
export type App = z.infer<typeof App>;

export const Role = z.strictObject({
  $schema: z.string().optional(),
  slug: z.string(),
  name: z.string(),
  permissions: z.array(z.strictObject({ method: z.string(), path: z.string() })),
});
export type Role = z.infer<typeof Role>;

export const Settings = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().default('Treadle'),
  home: z.string().default('/'),
  api: z.boolean().default(false),
  database: z.strictObject({ url: z.string().default('sqlite:var/app.db') }).prefault({}),
  server: z
    .strictObject({
      baseUrl: z.string().nullable().default(null),
      trustProxy: z.boolean().default(false),
      bodyBytes: z.number().int().default(1_048_576),
      cors: z.array(z.string()).default([]),
    })
    .prefault({}),
  session: z.strictObject({ idleSeconds: z.number().int().default(1_209_600) }).prefault({}),
  auth: z.strictObject({ verify: z.boolean().default(false), signup: z.boolean().default(true) }).prefault({}),
  oauth: z
    .strictObject({
      mode: z.enum(['classic', 'standard', 'strict']).default('classic'),
      codeSeconds: z.number().int().default(60),
      accessSeconds: z.number().int().default(3600),
      classicAccessSeconds: z.number().int().default(2_592_000),
    })
    .prefault({}),
  webhook: z
    .strictObject({
      allowPrivate: z.array(z.string()).default([]),
      timeoutSeconds: z.number().default(15),
    })
    .prefault({}),
  limits: z
    .strictObject({
      perMinute: z.number().int().default(600),
      pageRows: z.number().int().default(50),
      maxPageRows: z.number().int().default(100),
    })
    .prefault({}),
  admin: z.strictObject({ write: z.boolean().default(false) }).prefault({}),
});
export type Settings = z.infer<typeof Settings>;
