// Two versions of a project's definitions, and what a client may be told while both are served.

const FIELDS = [
  { name: 'title', label: 'Title', type: 'text', filterable: true, searchable: false },
  { name: 'body', label: 'Body', type: 'text', filterable: true, searchable: false },
  { name: 'code', label: 'Code', type: 'text', filterable: true },
  { name: 'rank', label: 'Rank', type: 'number' },
  { name: 'active', type: 'active' },
];

/** Changes a field of the later version. */
const set = (name, change) => (fields) =>
  fields.map((field) => (field.name === name ? { ...field, ...change } : field));
const add = (field) => (fields) => [...fields.slice(0, -1), { label: field.name, ...field }, ...fields.slice(-1)];
const isSearchable = set('title', { searchable: true });

/**
 * `before` and `after` change the common fields. `isBreaking`: servers of the version before answer 503 with `Retry-After` to
 * what needs the column, and the way back is an undo. `lacks`: what the later version needs and the earlier does not know.
 */
export const CHANGES = {
  'nothing but the build': { before: isSearchable, after: isSearchable },
  'a field made searchable': { after: isSearchable },
  'another field made searchable': {
    before: isSearchable,
    after: (fields) => set('body', { searchable: true })(isSearchable(fields)),
  },
  'another field searchable in its place': { before: isSearchable, after: set('body', { searchable: true }) },
  'a field searchable no longer': { before: isSearchable, after: (fields) => fields },
  'a field added': {
    before: isSearchable,
    after: (fields) => add({ name: 'extra', type: 'text' })(isSearchable(fields)),
  },
  'a searchable field added': {
    before: isSearchable,
    after: (fields) => add({ name: 'extra', type: 'text', searchable: true })(isSearchable(fields)),
  },
  'a field added with a default': {
    before: isSearchable,
    after: (fields) => add({ name: 'extra', type: 'text', filterable: true, default: 'preset' })(isSearchable(fields)),
  },
  'a required field added with a default': {
    before: isSearchable,
    after: (fields) => add({ name: 'extra', type: 'text', required: true, default: 'preset' })(isSearchable(fields)),
  },
  'a field removed': {
    before: isSearchable,
    after: (fields) => isSearchable(fields).filter(({ name }) => name !== 'rank'),
  },
  'a field made required': {
    before: isSearchable,
    after: (fields) => set('body', { required: true, default: 'preset' })(isSearchable(fields)),
    isBreaking: true,
  },
  'a field made unique': {
    before: isSearchable,
    after: (fields) => set('code', { unique: true })(isSearchable(fields)),
    isBreaking: true,
  },
  'an index added': { before: isSearchable, after: (fields) => set('rank', { sortable: true })(isSearchable(fields)) },
  'a field renamed': { after: set('title', { name: 'headline', was: 'title' }), isBreaking: true },
  'a searchable field renamed': {
    before: isSearchable,
    after: set('title', { name: 'headline', was: 'title', searchable: true }),
    isBreaking: true,
  },
};

/** What writers call the renamed field, in both versions. */
const toLogical = (name) => (name === 'headline' ? 'title' : name);

/** One version: its fields, and what rows call them. */
function toVersion(change) {
  const fields = (change ?? ((all) => all))(structuredClone(FIELDS));
  const named = fields.filter(({ type }) => type !== 'active');
  const keys = new Map(named.map(({ name }) => [toLogical(name), `note_${name}`]));
  const pick = (test) => new Set(named.filter(test).map(({ name }) => toLogical(name)));
  return {
    fields,
    keys,
    searchable: pick(({ searchable }) => searchable === true),
    filterable: pick(({ filterable }) => filterable === true),
    required: pick(({ required }) => required === true),
    unique: pick(({ unique }) => unique === true),
    presets: new Map(named.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]))),
  };
}

export const toVersions = ({ before, after }) => ({ before: toVersion(before), after: toVersion(after) });
