import { findOwn } from '../../../core/record.ts';
import { translate } from '../../../core/text/translate.ts';
import { insertField, toAdded, toMadeLabel } from '../../../edit/made-field.ts';
import { parseExcludeText, printExclude } from '../../../model/filter/exclude-text.ts';
import { parseIndexText, printIndex } from '../../../model/filter/index-text.ts';
import { FORMS } from '../../../model/form/forms.ts';
import type { FormKey } from '../../../model/form/key.ts';
import { isRecord, listValues } from '../../../model/json/json-value.ts';
import { findRemoveRule } from '../../../model/relation-sentence.ts';
import {
  type Exclude,
  FIELD_TYPES,
  type Field,
  type Index,
  RELATION_KINDS,
  type Relation,
  type Schema,
  type Unique,
} from '../../../model/shape.ts';
import { toLines, toText } from '../control.ts';
import type { OwnerKind, OwnerValue } from '../owner.ts';
import { isMarked, isShown } from '../shown.ts';
import { isTicked } from '../submit.ts';
import { printValue } from './field-form.ts';
import { parseValue, readField } from './field-read.ts';

/** What is typed into the form of a schema or a fieldset. It travels with the form, so nothing is lost between posts. */
export interface FormState {
  readonly name: string;
  /** Texts of the keys of the form by key. Lists have a line per entry; what is on is `1`. */
  readonly texts: Readonly<Record<string, string>>;
  readonly fields: readonly Field[];
  /** Index of the field whose controls are shown. */
  readonly open: number | undefined;
  readonly relations: readonly Relation[];
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

/** The keys of a kind that are typed: all but its name, its fields and its relations. */
const listTyped = (kind: OwnerKind): readonly FormKey[] => FORMS[kind]().flatMap(({ keys }) => keys);

const printUnique = ({ columns, message }: Unique): string => [columns.join(', '), message].filter(Boolean).join(': ');

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

/** How the rules of a schema are read: a line a rule. */
const RULES: Readonly<Record<string, (text: string) => readonly unknown[]>> = {
  unique: readUnique,
  exclude: readExclude,
  indexes: readIndexes,
};

function printTexts(kind: OwnerKind, value: Partial<Schema>): Record<string, string> {
  const lines: Readonly<Record<string, readonly string[] | undefined>> = {
    unique: value.unique?.map(printUnique),
    exclude: value.exclude?.map(printExclude),
    indexes: value.indexes?.map(printIndex),
  };
  const values: Readonly<Record<string, unknown>> = value;
  return Object.fromEntries(
    listTyped(kind).map((spec) => [
      spec.key,
      findOwn(lines, spec.key)?.join('\n') ?? printValue(spec, values[spec.key]),
    ]),
  );
}

const UNTYPED = { fields: [], relations: [], ...UNTOUCHED, hasStamps: false } as const;

/** The form of a definition as its file has it. */
export function toState(kind: OwnerKind, value: OwnerValue): FormState {
  const known: Partial<Schema> = value;
  const { name, fields } = value;
  return { ...UNTYPED, name, texts: printTexts(kind, known), fields, relations: known.relations ?? [] };
}

/** The empty form of a new definition. */
export const createState = (kind: OwnerKind): FormState => ({
  ...UNTYPED,
  name: '',
  texts: printTexts(kind, {}),
  hasStamps: true,
});

type FormValues = Readonly<Record<string, unknown>>;

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

/** The text of a key as it was posted. What the form did not have stays: forms without marks had no box of a definition's own. */
function readPosted({ key, kind }: FormKey, posted: FormValues, before: string | undefined): string {
  const value = posted[key];
  const isBox = kind === 'switch' || kind === 'literal';
  const isThere = isBox ? value !== undefined || isMarked(posted, key) : isShown(posted, key, value);
  return isThere ? toText(value).trim() : (before ?? '');
}

/** What a form was before somebody typed. */
interface FormStart {
  /** Texts of the keys of the form by key. */
  readonly texts: FormState['texts'];
  /** Whether the file has a field of that name. */
  readonly isKnown: (name: string) => boolean;
}

/** The form as it was posted, before its action is done. */
export function readState(kind: OwnerKind, posted: FormValues, { texts, isKnown }: FormStart): FormState {
  const fields = readFields(posted.field);
  const open = toText(posted.edit) === '' ? -1 : listKeys(posted.field).indexOf(toText(posted.edit));
  const before = fields[open];
  if (before !== undefined && isRecord(posted.f))
    fields[open] = readField(posted.f, before, !isKnown(before.name), posted);
  return {
    name: toText(posted.name).trim(),
    texts: Object.fromEntries(listTyped(kind).map((spec) => [spec.key, readPosted(spec, posted, texts[spec.key])])),
    ...UNTOUCHED,
    fields,
    open: before === undefined ? undefined : open,
    relations: listValues(posted.relation).flatMap(readRelation),
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

/** What the text of a key means; null takes the key away. */
function readText(spec: FormKey, text: string): unknown {
  const { key, kind, isKept, otherwise = false } = spec;
  if (kind === 'switch') return (text !== '') === otherwise ? null : text !== '';
  if (text === '') return isKept ? '' : null;
  return findOwn(RULES, key)?.(text) ?? parseValue(spec, text);
}

/** The definition that the form means: keys without a value are null, which an update takes away. */
export function toValue(kind: OwnerKind, { name, texts, fields, relations }: FormState): Record<string, unknown> {
  return {
    name,
    ...Object.fromEntries(listTyped(kind).map((spec) => [spec.key, readText(spec, texts[spec.key] ?? '')])),
    fields,
    ...(kind === 'schema' ? { relations: relations.length === 0 ? null : relations } : {}),
  };
}
