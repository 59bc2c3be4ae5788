import { translate } from '../../../core/text/translate.ts';
import { insertField, toAdded, toMadeLabel } from '../../../edit/made-field.ts';
import { parseExcludeText, printExclude } from '../../../model/filter/exclude-text.ts';
import { parseIndexText, printIndex } from '../../../model/filter/index-text.ts';
import { isRecord, listValues } from '../../../model/json/json-value.ts';
import { findRemoveRule } from '../../../model/relation-sentence.ts';
import {
  type Exclude,
  FIELD_TYPES,
  type Field,
  type Index,
  RELATION_KINDS,
  type Relation,
  type Unique,
} from '../../../model/shape.ts';
import { toLines, toText } from '../control.ts';
import type { OwnerKind, OwnerValue } from '../owner.ts';
import { isTicked } from '../submit.ts';
import { readField } from './field-read.ts';

/** What is typed into the form of a schema or a fieldset. It travels with the form, so nothing is lost between posts. */
export interface FormState {
  readonly name: string;
  /** Texts of the keys that are texts. */
  readonly texts: Readonly<Record<TextKey, string>>;
  readonly fields: readonly Field[];
  /** Index of the field whose controls are shown. */
  readonly open: number | undefined;
  readonly relations: readonly Relation[];
  /** One line per group of columns that are unique together. */
  readonly unique: string;
  /** One rule per line: columns, the two fields of the period, the message. */
  readonly exclude: string;
  /** One index per line: columns, then conditions. */
  readonly indexes: string;
  /** Whether a new schema gets the stamps. */
  readonly hasStamps: boolean;
  /**
   * The control that has the focus when the page comes back: `add`, `open`, `rule` or `link`; or a button of a field by its
   * index, such as `up:2` or `edit:2`. Empty: the page's start.
   */
  readonly focus: string;
  /** A field that was typed and could not be added. */
  readonly refused: { readonly name: string; readonly type: string; readonly message: string } | undefined;
}

/** What a page shows before a button was pressed. */
const UNTOUCHED = { open: undefined, focus: '', refused: undefined } as const;

const TEXT_KEYS = ['singular', 'plural', 'icon', 'description', 'display'] as const;
type TextKey = (typeof TEXT_KEYS)[number];

const printUnique = (list: readonly Unique[]): string =>
  list.map(({ columns, message }) => [columns.join(', '), message].filter(Boolean).join(': ')).join('\n');

/** Lines such as `talk_id, profile_id: Already registered` as the definition has them. */
function readUnique(text: string): Unique[] {
  return toLines(text).map((line) => {
    const at = line.indexOf(':');
    const columns = (at < 0 ? line : line.slice(0, at)).split(',').map((name) => name.trim());
    const message = at < 0 ? '' : line.slice(at + 1).trim();
    return { columns: columns.filter((name) => name !== ''), ...(message === '' ? {} : { message }) };
  });
}

/** A line that is no rule is kept as it is, so that its problem names it. */
const readExclude = (text: string): Exclude[] =>
  toLines(text).map((line) => parseExcludeText(line) ?? { range: [line] });

const printIndexes = (list: readonly Index[]): string => list.map(printIndex).join('\n');

/** A line that is no index is kept as it is, so that its problem names it. */
const readIndexes = (text: string): Index[] =>
  toLines(text).map((line) => parseIndexJson(line) ?? parseIndexText(line) ?? { columns: [line] });

function parseIndexJson(line: string): Index | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Index;
  } catch {
    return undefined;
  }
}

/** The form of a definition as its file has it. */
export function toState(value: OwnerValue): FormState {
  const { name, fields } = value;
  const known = value as Readonly<Record<string, unknown>>;
  const texts = Object.fromEntries(TEXT_KEYS.map((key) => [key, toText(known[key])])) as FormState['texts'];
  const isSchema = 'relations' in value || 'unique' in value || 'exclude' in value || 'indexes' in value;
  return {
    name,
    texts,
    fields,
    ...UNTOUCHED,
    relations: isSchema ? (value.relations ?? []) : [],
    unique: isSchema ? printUnique(value.unique ?? []) : '',
    exclude: isSchema ? (value.exclude ?? []).map(printExclude).join('\n') : '',
    indexes: isSchema ? printIndexes(value.indexes ?? []) : '',
    hasStamps: false,
  };
}

/** The empty form of a new definition. */
export const EMPTY: FormState = {
  name: '',
  texts: { singular: '', plural: '', icon: '', description: '', display: '' },
  fields: [],
  ...UNTOUCHED,
  relations: [],
  unique: '',
  exclude: '',
  indexes: '',
  hasStamps: true,
};

type FormValues = Readonly<Record<string, unknown>>;

/** Parts of a form, such as `relation[0]` and `relation[1]`: numbered ones arrive as a list. */
/** A field travels as JSON. What is none is left out: the page wrote it. */
function readFields(posted: unknown): Field[] {
  return listValues(posted).flatMap((text): Field[] => {
    try {
      const field: unknown = JSON.parse(toText(text));
      return isRecord(field) && typeof field.name === 'string' ? [field as Field] : [];
    } catch {
      return [];
    }
  });
}

function readRelation(posted: unknown): Relation[] {
  if (!isRecord(posted)) return [];
  const schema = toText(posted.schema);
  const kind = RELATION_KINDS.find((each) => each === posted.kind);
  if (schema === '' || kind === undefined) return [];
  const name = toText(posted.name).trim();
  const onRemove = findRemoveRule(toText(posted.onRemove));
  const was = toText(posted.was).split(',').filter(Boolean);
  const order = toText(posted.order);
  return [
    {
      schema,
      kind,
      ...(name === '' ? {} : { name }),
      ...(was.length === 0 ? {} : { was: was.length === 1 ? (was[0] as string) : was }),
      ...(onRemove === undefined ? {} : { onRemove }),
      ...(toText(posted.tree) === '' ? {} : { tree: true }),
      // Without a tree nothing is in an order.
      ...(order === '' || toText(posted.tree) === '' ? {} : { order }),
    },
  ];
}

/** The number in an action such as `open:2`. */
const readIndex = (action: string): number => Number(action.slice(action.indexOf(':') + 1));

/** The form as it was posted, before its action is done. */
export function readState(posted: FormValues, isKnown: (name: string) => boolean): FormState {
  const fields = readFields(posted.field);
  const open = toText(posted.edit) === '' ? -1 : listKeys(posted.field).indexOf(toText(posted.edit));
  const before = fields[open];
  if (before !== undefined && isRecord(posted.f)) fields[open] = readField(posted.f, before, !isKnown(before.name));
  return {
    name: toText(posted.name).trim(),
    texts: Object.fromEntries(TEXT_KEYS.map((key) => [key, toText(posted[key]).trim()])) as FormState['texts'],
    ...UNTOUCHED,
    fields,
    open: before === undefined ? undefined : open,
    relations: listValues(posted.relation).flatMap(readRelation),
    unique: toText(posted.unique),
    exclude: toText(posted.exclude),
    indexes: toText(posted.indexes),
    hasStamps: isTicked(posted.stamps),
  };
}

const listKeys = (value: unknown): string[] => (isRecord(value) ? Object.keys(value) : []);

function move(state: FormState, from: number, to: number): FormState {
  const fields = [...state.fields];
  const [field] = fields.splice(from, 1);
  if (field === undefined || to < 0 || to > fields.length) return state;
  fields.splice(to, 0, field);
  const open = state.open === from ? to : state.open;
  // The first field has no button that moves it up, the last one none that moves it down.
  const isUp = to === 0 ? false : to === fields.length - 1 || to < from;
  return { ...state, fields, open, focus: `${isUp ? 'up' : 'down'}:${to}` };
}

/** Why a field of this name cannot be added; undefined if it can. */
function findRefusal({ fields }: FormState, name: string): string | undefined {
  if (name === '') return translate('Give the field a name.');
  return fields.some((field) => field.name === name)
    ? translate('There is a field {name} already. Choose another name.', { name })
    : undefined;
}

/** Types of which other keys say what they hold: such a field opens as it is added. */
const UNFINISHED: ReadonlySet<Field['type']> = new Set(['computed', 'decimal', 'fieldset']);

function addField(state: FormState, posted: FormValues): FormState {
  const added = isRecord(posted.add) ? posted.add : {};
  const name = toText(added.name).trim();
  const type = FIELD_TYPES.find((each) => each === added.type) ?? 'text';
  const message = findRefusal(state, name);
  if (message !== undefined) return { ...state, refused: { name, type, message }, focus: 'add' };
  const field: Field = {
    name,
    ...toMadeLabel(name, type),
    type,
    ...(isTicked(added.required) ? { required: true } : {}),
  };
  const fields = insertField(state.fields, toAdded(state.name, field), undefined);
  if (!UNFINISHED.has(type)) return { ...state, fields, focus: 'add' };
  return { ...state, fields, open: fields.findIndex((each) => each.name === name), focus: 'open' };
}

function addRelation(state: FormState, posted: FormValues): FormState {
  return { ...state, relations: [...state.relations, ...readRelation(posted.link)], focus: 'link' };
}

const without = <T>(list: readonly T[], index: number): T[] => list.filter((_, at) => at !== index);

/** The place of a field in the form as it was posted: a script may have moved the rows since they were numbered. */
const findPlace = (action: string, posted: FormValues): number =>
  listKeys(posted.field).indexOf(`k${readIndex(action)}`);

/** Does what a button of the form says: moves, opens, adds or drops. Saving and previewing change nothing here. */
export function changeState(state: FormState, action: string, posted: FormValues): FormState {
  const [verb = ''] = action.split(':', 1);
  const at = findPlace(action, posted);
  switch (verb) {
    case 'up':
      return move(state, at, at - 1);
    case 'down':
      return move(state, at, at + 1);
    case 'open':
      return { ...state, open: at < 0 ? undefined : at, focus: 'open' };
    case 'keep':
      return { ...state, focus: 'rule' };
    case 'close':
      return { ...state, open: undefined, focus: `edit:${state.open}` };
    case 'drop':
      return { ...state, fields: without(state.fields, at), open: undefined, focus: 'add' };
    case 'add':
      return addField(state, posted);
    case 'link':
      return addRelation(state, posted);
    case 'unlink':
      return { ...state, relations: without(state.relations, readIndex(action)), focus: 'link' };
    default:
      return state;
  }
}

/** The definition that the form means: keys without a value are null, which an update takes away. */
export function toValue(kind: OwnerKind, state: FormState): Record<string, unknown> {
  const orNull = <T>(list: readonly T[]): readonly T[] | null => (list.length === 0 ? null : list);
  const labels = { singular: state.texts.singular, plural: state.texts.plural };
  if (kind === 'fieldset') return { name: state.name, ...labels, fields: state.fields };
  const { icon, description, display } = state.texts;
  return {
    name: state.name,
    ...labels,
    icon: icon || null,
    description: description || null,
    display: display || null,
    fields: state.fields,
    relations: orNull(state.relations),
    unique: orNull(readUnique(state.unique)),
    exclude: orNull(readExclude(state.exclude)),
    indexes: orNull(readIndexes(state.indexes)),
  };
}
