import { BoundedMap } from '../../../core/bounded-map.ts';
import { currentLocaleTag, toLocalText, translate } from '../../../core/text/translate.ts';
import { listComputed } from '../../../model/computed.ts';
import { fieldKinds } from '../../../model/field/field-kind.ts';
import { escapeHtml, toPlain } from '../../../model/format/format-text.ts';
import type { ColumnModel, ForeignKey, Model, SchemaModel } from '../../../model/model.ts';
import { toLabelText } from '../../../model/names.ts';
import { isSystemSet } from '../../../model/server-set.ts';
import { listLabelColumns, toRowLabel } from '../../../page/row-label.ts';
import type { Context } from '../../../plan/feature.ts';
import type { Source } from '../../../store/read/source/source.ts';
import { toDataPath } from '../offer.ts';
import { holdsElements, listRead, type Row, toCellRenderer } from './cell.ts';

/** A column that a list can show. */
export interface ListColumn {
  /** Name in `fields` of the URL. */
  readonly name: string;
  readonly label: string;
  /** Whether rows can be sorted by it. */
  readonly isSortable: boolean;
  readonly isNumber: boolean;
  /** Whether it is shown if none was chosen. */
  readonly isDefault: boolean;
  /** Whether a link may go around its cells. */
  readonly isPlain: boolean;
  /** Columns that its cells are made of. */
  readonly needs: readonly string[];
  /** Relation that the search must expand. */
  readonly expands?: string;
  /** Set if its cells can be edited in place. */
  readonly edits?: ColumnModel;
  /** HTML of a cell. */
  toCell(row: Row, now: number): string;
}

interface ListContext {
  readonly model: Model;
  readonly schema: SchemaModel;
  /** What the search of the viewer can use. */
  readonly source: Source;
  /** Whether the person may open the detail page of a row of a schema. */
  readonly isOpen: (schema: SchemaModel) => boolean;
}

/** Columns that are shown if none were chosen, besides the id. */
const MOST_FIELDS = 5;
const MOST_KEYS = 2;

/** JSON types whose values are short. */
const SHORT_LISTS: ReadonlySet<string> = new Set(['multiselect', 'checkboxes', 'tag']);
const NEVER_DEFAULT: ReadonlySet<string> = new Set(['active', 'updated', 'uuid', 'ipaddress']);

function isDefaultField({ field }: ColumnModel): boolean {
  if (field.list !== undefined) return field.list.format !== 'hide';
  const { isLong, isJson } = fieldKinds[field.type];
  if (NEVER_DEFAULT.has(field.type)) return false;
  return !isLong && (!isJson || SHORT_LISTS.has(field.type));
}

interface LabelledColumn {
  readonly name: string;
  readonly label: string;
  /** False for a column of a 1:1 relation. */
  readonly isOwn: boolean;
}

function toFieldColumn(
  column: ColumnModel,
  { name, label, isOwn }: LabelledColumn,
  { source }: ListContext,
): ListColumn {
  const render = toCellRenderer(column);
  const { group } = fieldKinds[column.field.type];
  return {
    name,
    label,
    isSortable: source.sortable.has(name),
    isNumber: group === 'number' && column.field.list === undefined && column.field.type !== 'stars',
    isDefault: isOwn && isDefaultField(column),
    isPlain: !holdsElements(column),
    needs: [name, ...listRead(column.field)],
    ...(isSystemSet(column) || !isOwn ? {} : { edits: column }),
    toCell: (row, now) => render(row[name], row, now),
  };
}

/** The columns of the row at the other end of a 1:1 that its label needs: their names there and in the row here. */
function listFlatLabel(
  { schema }: ListContext,
  { relation }: ForeignKey,
  target: SchemaModel,
): (readonly [string, string])[] {
  const text = target.row.shown.find(({ field }) => fieldKinds[field.type].isText && !fieldKinds[field.type].isLong);
  const wanted = listLabelColumns(target) ?? (text === undefined ? [] : [text.name]);
  return schema.row.flat
    .filter((flat) => flat.relation === relation && wanted.includes(flat.column))
    .map(({ name, column }) => [column, name] as const);
}

function toKeyLabel({ relation, origin, target }: ForeignKey, model: Model): string {
  const singular = model.schemas.get(target)?.singular ?? target;
  return toLocalText(origin === 'parent' || relation.name === target ? singular : toLabelText(relation.name));
}

/** A foreign key: shows the label of the row that it refers to. */
function toKeyColumn(key: ForeignKey, listing: ListContext): ListColumn {
  const { model, source, isOpen } = listing;
  const target = model.schemas.get(key.target);
  const isJoined = key.origin === 'own' && key.relation.kind === '1:1';
  const flat = isJoined && target !== undefined ? listFlatLabel(listing, key, target) : [];
  const expands =
    key.origin === 'own' && !isJoined && source.relations.has(key.relation.name) ? key.relation.name : undefined;
  const isLinked = target !== undefined && isOpen(target);
  const toTarget = (row: Row): Row => {
    if (expands !== undefined) return (row[expands] as Row | null | undefined) ?? {};
    return Object.fromEntries(flat.map(([there, here]) => [there, row[here]]));
  };
  return {
    name: key.column,
    label: toKeyLabel(key, model),
    isSortable: source.sortable.has(key.column),
    isNumber: false,
    isDefault: key.origin === 'own',
    isPlain: !isLinked,
    needs: [key.column, ...flat.map(([, here]) => here)],
    ...(expands === undefined ? {} : { expands }),
    toCell: (row) => {
      const id = toPlain(row[key.column]);
      if (id === '' || target === undefined) return '';
      const label = escapeHtml(toRowLabel(target, { ...toTarget(row), [target.primary]: id }));
      return isLinked ? `<a href="${toDataPath(target.name)}/detail/${escapeHtml(id)}">${label}</a>` : label;
    },
  };
}

/** Labels of related rows in a cell; a list may have many. */
const MOST_LABELS = 3;

function listRelatedColumns({ model, schema, source }: ListContext): ListColumn[] {
  const keys = new Set(schema.row.keys.filter(({ origin }) => origin === 'own').map(({ relation }) => relation));
  return [...source.relations].flatMap(([name, relation]) => {
    const target = model.schemas.get(relation.target);
    if (target === undefined || keys.has(relation)) return [];
    const toCell = (row: Row): string => {
      const found = Array.isArray(row[name]) ? (row[name] as Row[]) : [];
      const labels = found.slice(0, MOST_LABELS).map((item) => toRowLabel(target, item));
      const more = found.length > MOST_LABELS ? [translate('{count} more', { count: found.length - MOST_LABELS })] : [];
      return escapeHtml([...labels, ...more].join(', '));
    };
    const label = toLocalText(relation.name === relation.target ? target.plural : toLabelText(relation.name));
    return {
      name,
      label,
      isSortable: false,
      isNumber: false,
      isDefault: false,
      isPlain: true,
      needs: [],
      expands: name,
      toCell,
    };
  });
}

function listComputedColumns({ schema }: ListContext): ListColumn[] {
  return listComputed(schema).map(({ name, field, compute }) => ({
    name,
    label: toLocalText(field.label ?? toLabelText(name)),
    isSortable: false,
    isNumber: false,
    isDefault: field.list?.format === 'formula' || field.list?.format === 'custom',
    isPlain: true,
    needs: [...listRead(field), ...listRead({ ...field, list: field.detail })],
    toCell: (row) => escapeHtml(toPlain(compute(row))),
  }));
}

/** Maximum number of cached column lists, one for each source, language and set of open schemas. */
const MOST_CACHED = 500;
const createCache = (): BoundedMap<readonly ListColumn[]> => new BoundedMap(MOST_CACHED);

/**
 * All columns that a list can show to the viewer, in the definition's order. They depend on the source, the
 * language and the schemas that the person may open, and are made once for each.
 */
export function listColumns({ memory }: Context, listing: ListContext): readonly ListColumn[] {
  const { model, schema, source } = listing;
  const targets = [...new Set(schema.row.keys.map(({ target }) => target))];
  const open = targets.filter((name) => {
    const target = model.schemas.get(name);
    return target !== undefined && listing.isOpen(target);
  });
  const key = [source.key, currentLocaleTag(), ...open].join();
  const isOpen = ({ name }: SchemaModel): boolean => open.includes(name);
  return memory.get(createCache).getOrCreate(key, () => makeColumns({ model, schema, source, isOpen }));
}

function makeColumns(listing: ListContext): ListColumn[] {
  const { schema, source } = listing;
  const fields = schema.row.shown
    .filter(({ name }) => source.columns.has(name))
    .map((column) =>
      toFieldColumn(column, { name: column.name, label: toLocalText(column.label), isOwn: true }, listing),
    );
  const keys = schema.row.keys.map((key) => toKeyColumn(key, listing));
  const flat = schema.row.flat.flatMap(({ name, model, relation }) => {
    if (model === undefined || !source.columns.has(name)) return [];
    const from = toLocalText(toLabelText(relation.name));
    return toFieldColumn(model, { name, label: `${from}: ${toLocalText(model.label)}`, isOwn: false }, listing);
  });
  const computed = listComputedColumns(listing);
  const taken = new Set(computed.map(({ name }) => schema.byName.get(name)?.name));
  return [
    ...fields.filter(({ name }) => !taken.has(name)),
    ...computed,
    ...keys,
    ...flat,
    ...listRelatedColumns(listing),
  ];
}

/** The chosen columns in the order of the choice; without a choice the default ones. Unknown names are left out. */
export function chooseColumns(all: readonly ListColumn[], chosen: readonly string[]): readonly ListColumn[] {
  const found = chosen.flatMap((name) => all.find((column) => column.name === name) ?? []);
  if (found.length > 0) return found;
  const defaults = all.filter(({ isDefault }) => isDefault);
  const keys = defaults.filter(({ name }) => name.endsWith('_id')).slice(0, MOST_KEYS);
  const fields = defaults.filter(({ name }) => !name.endsWith('_id'));
  const shown = new Set([...fields.slice(0, MOST_FIELDS), ...keys]);
  return all.filter((column) => shown.has(column));
}
