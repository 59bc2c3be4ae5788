import { toDidYouMean } from '../../core/text/suggest.ts';
import { FIELD_TYPES, type FieldType } from '../shape/schema.ts';

/** What other systems call a type. */
const OTHER_NAMES: Readonly<Record<string, FieldType>> = {
  string: 'text',
  str: 'text',
  varchar: 'text',
  char: 'text',
  character: 'text',
  title: 'text',
  name: 'text',
  phone: 'text',
  tel: 'text',
  telephone: 'text',
  hidden: 'text',
  input: 'text',
  longtext: 'textarea',
  mediumtext: 'textarea',
  multiline: 'textarea',
  memo: 'textarea',
  clob: 'textarea',
  html: 'wysiwyg',
  richtext: 'wysiwyg',
  rich: 'wysiwyg',
  editor: 'wysiwyg',
  md: 'markdown',
  int: 'number',
  integer: 'number',
  long: 'number',
  bigint: 'number',
  smallint: 'small',
  tinyint: 'small',
  double: 'float',
  real: 'float',
  numeric: 'decimal',
  money: 'decimal',
  currency: 'decimal',
  amount: 'decimal',
  rating: 'stars',
  boolean: 'checkbox',
  bool: 'checkbox',
  flag: 'checkbox',
  toggle: 'switch',
  radio: 'radios',
  enum: 'select',
  choice: 'select',
  option: 'select',
  options: 'select',
  dropdown: 'select',
  multichoice: 'multiselect',
  timestamp: 'datetime',
  timestamptz: 'datetime',
  moment: 'datetime',
  createdat: 'created',
  updatedat: 'updated',
  day: 'date',
  json: 'rawjson',
  jsonb: 'rawjson',
  object: 'rawjson',
  dictionary: 'meta',
  map: 'meta',
  keyvalue: 'meta',
  array: 'textlist',
  list: 'textlist',
  strings: 'textlist',
  tags: 'tag',
  guid: 'uuid',
  ip: 'ipaddress',
  inet: 'ipaddress',
  link: 'url',
  uri: 'url',
  website: 'url',
  mail: 'email',
  colour: 'color',
  country: 'countrylist',
  location: 'latlng',
  point: 'latlng',
  geo: 'latlng',
  geopoint: 'latlng',
  coordinates: 'latlng',
  picture: 'image',
  photo: 'image',
  img: 'image',
  upload: 'file',
  attachment: 'file',
  blob: 'file',
  binary: 'file',
  files: 'filelist',
  images: 'imagelist',
  group: 'fieldset',
};

/** Types of one record that are not fields, with the command that adds them. */
const RELATIONS: ReadonlySet<string> = new Set([
  'relation',
  'reference',
  'ref',
  'foreignkey',
  'fk',
  'belongsto',
  'hasmany',
]);

/** Hint for an unknown type: the one that other systems call so, or one of similar letters. */
export function toTypeHint(type: string): string {
  const plain = type.toLowerCase().replace(/[^a-z]/g, '');
  if (RELATIONS.has(plain)) return 'A relation is not a field: treadle relation add <schema> <kind> <schema>.';
  if (plain === 'id' || plain === 'serial' || plain === 'autoincrement')
    return 'Every schema has its id already: leave the field out.';
  const other = Object.hasOwn(OTHER_NAMES, plain) ? OTHER_NAMES[plain] : undefined;
  if (other !== undefined) return `Did you mean "${other}"?`;
  return toDidYouMean(type, FIELD_TYPES);
}

/** What other systems call this type, so that a search for it finds it. */
export const listOtherNames = (type: FieldType): string[] =>
  Object.keys(OTHER_NAMES).filter((name) => OTHER_NAMES[name] === type);
