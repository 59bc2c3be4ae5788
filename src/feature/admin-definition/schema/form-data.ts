import { translate } from '../../../core/text/translate.ts';
import type { Definitions } from '../../../model/definitions.ts';
import { fieldKinds } from '../../../model/field/field-kind.ts';
import { FLAGS } from '../../../model/field/field-rules.ts';
import { EXCLUDE_SAMPLE } from '../../../model/filter/exclude-text.ts';
import { INDEX_SAMPLE } from '../../../model/filter/index-text.ts';
import { hasWholeNumbers } from '../../../model/link/trees.ts';
import {
  describeRule,
  listRemoveRules,
  toReverseSentence,
  toSentence,
  USUAL_RULE,
} from '../../../model/relation-sentence.ts';
import { toRelationName } from '../../../model/removal/target.ts';
import { type Field, RELATION_KINDS, type Relation, toFile } from '../../../model/shape.ts';
import { type ChoiceGroup, toChoices } from '../control.ts';
import { findErrors } from '../outcome.ts';
import type { OwnerKind, OwnerValue } from '../owner.ts';
import type { Outcome } from '../submit.ts';
import { toFieldControls } from './field-form.ts';
import { listTypeGroups } from './field-words.ts';
import type { FormState } from './form-state.ts';
import { toRoom } from './words.ts';

export interface FormInput {
  readonly kind: OwnerKind;
  readonly definitions: Definitions;
  readonly state: FormState;
  readonly outcome: Outcome | undefined;
  /** The definition in its file; undefined for a new one. */
  readonly found: OwnerValue | undefined;
}

/** The first error of a field, or of one of its keys. */
function findFieldError(errors: ReadonlyMap<string, string>, index: number): string | undefined {
  const start = `fields[${index}]`;
  return [...errors].find(([path]) => path === start || path.startsWith(`${start}.`))?.[1];
}

function toField(field: Field, index: number, input: FormInput, errors: ReadonlyMap<string, string>) {
  const { kind, definitions, state, found } = input;
  const isNew = found === undefined || !found.fields.some(({ name }) => name === field.name);
  const error = findFieldError(errors, index);
  const isOpen = state.open === index;
  return {
    key: `k${index}`,
    at: index,
    name: field.name,
    label: field.label,
    type: field.type,
    flags: FLAGS.filter((flag) => field[flag] === true).map((flag) => toFlagLabel(flag)),
    stored: JSON.stringify(field),
    isFirst: index === 0,
    isLast: index === state.fields.length - 1,
    isOpen,
    isNew,
    focus: toButtonFocus(state.focus, index),
    error,
    rename: isNew ? undefined : `${toRoom(kind)}/rename/${found.name}?field=${encodeURIComponent(field.name)}`,
    controls: isOpen
      ? toFieldControls(field, {
          fieldsets: [...definitions.fieldset.keys()].filter((name) => kind === 'schema' || name !== state.name),
          isNew,
          isGroup: kind === 'fieldset',
          findError: (key) => errors.get(`fields[${index}].${key}`),
          hasFocus: state.focus,
        })
      : undefined,
  };
}

/** Which button of a field has the focus: `{ up: true }`. */
function toButtonFocus(focus: string, index: number): Readonly<Record<string, true>> {
  const [verb = '', at] = focus.split(':');
  return at === String(index) ? { [verb]: true } : {};
}

function toFlagLabel(flag: string): string {
  switch (flag) {
    case 'required':
      return translate('required');
    case 'unique':
      return translate('unique');
    case 'searchable':
      return translate('searchable');
    case 'filterable':
      return translate('filterable');
    case 'private':
      return translate('private');
    default:
      return translate('sortable');
  }
}

/** What a kind of relation says, in the middle of a sentence. */
function describeKind(kind: string): string {
  switch (kind) {
    case '1:1':
      return translate('has exactly one');
    case '1:0':
      return translate('has at most one');
    case '1:N':
      return translate('has many');
    default:
      return translate('has many, and is had by many');
  }
}

const listKinds = (chosen: string): readonly ChoiceGroup[] =>
  toChoices(
    RELATION_KINDS.map((kind) => [kind, `${describeKind(kind)} (${kind})`]),
    chosen,
  );

function toRelation(
  relation: Relation,
  index: number,
  { definitions, state, found }: FormInput,
  errors: ReadonlyMap<string, string>,
) {
  const singular = state.texts.singular || state.name;
  const target = definitions.schema.get(relation.schema)?.value.singular ?? relation.schema;
  const start = `relations[${index}]`;
  const own = toRelationName(relation);
  const isKnown =
    found !== undefined && 'relations' in found && (found.relations ?? []).some((each) => toRelationName(each) === own);
  const usual = USUAL_RULE[relation.kind];
  const rules = listRemoveRules(relation.kind).filter((rule) => rule !== usual);
  return {
    at: index,
    ...relation,
    was: [relation.was ?? []].flat().join(','),
    rename: isKnown ? `${toRoom('schema')}/rename/${found.name}?relation=${encodeURIComponent(own)}` : '',
    sentence: toSentence(singular, relation),
    reverse: relation.kind === 'N:N' ? '' : toReverseSentence(singular, target, relation),
    kinds: listKinds(relation.kind),
    rules: toChoices(
      [
        ['', translate('{rule} (usual)', { rule: describeRule(usual) })],
        ...rules.map((rule) => [rule, describeRule(rule)] as const),
      ],
      relation.onRemove ?? '',
    ),
    // Only the rows of one schema are below each other. What a file says otherwise is shown with its problem.
    isSelf: relation.schema === state.name || relation.tree === true || relation.order !== undefined,
    orders: toChoices(
      [
        ['', translate('their number')],
        ...state.fields.filter((field) => hasWholeNumbers({ field })).map(({ name }) => [name, name] as const),
      ],
      relation.order ?? '',
    ),
    error: [...errors].find(([path]) => path === start || path.startsWith(`${start}.`))?.[1],
  };
}

/** The fields and relations that have an index by themselves. */
function listOwnIndexes({ fields, relations }: FormState): string {
  const indexed = fields.filter(({ type, unique, filterable, sortable }) => {
    const { isLong, isJson, isSecret } = fieldKinds[type] ?? {};
    const isUsed = unique === true || filterable === true || sortable === true || type === 'active';
    return isUsed && !isLong && !isJson && !isSecret;
  });
  const keys = relations.filter(({ kind }) => kind === '1:1' || kind === '1:0');
  return [...indexed.map(({ name }) => name), ...keys.map(toRelationName)].join(', ');
}

/** The first error of a list of rules, or of one of them. */
const findListError = (errors: ReadonlyMap<string, string>, key: string): string | undefined =>
  [...errors].find(([path]) => path === key || path.startsWith(`${key}[`))?.[1];

/** Data of the template `definition/owner`. */
export function createFormData(input: FormInput) {
  const { kind, definitions, state, outcome, found } = input;
  const errors = findErrors(outcome, toFile(kind, found?.name ?? state.name));
  const schemas = [...new Set([...definitions.schema.keys(), ...(state.name === '' ? [] : [state.name])])];
  return {
    kind,
    room: toRoom(kind),
    isNew: found === undefined,
    isSchema: kind === 'schema',
    form: {
      ...state.texts,
      name: state.name,
      unique: state.unique,
      exclude: state.exclude,
      indexes: state.indexes,
      hasStamps: state.hasStamps,
    },
    edit: state.open === undefined ? '' : `k${state.open}`,
    fields: state.fields.map((field, index) => toField(field, index, input, errors)),
    types: listTypeGroups(state.refused?.type ?? 'text'),
    refused: state.refused,
    focus: { [state.focus]: true },
    relations: state.relations.map((relation, index) => toRelation(relation, index, input, errors)),
    kinds: listKinds('1:N'),
    schemas,
    renameOwner: found === undefined || found.name === 'profile' ? '' : `${toRoom(kind)}/rename/${found.name}`,
    fieldsError: errors.get('fields'),
    uniqueError: findListError(errors, 'unique'),
    excludeError: findListError(errors, 'exclude'),
    excludeSample: `${EXCLUDE_SAMPLE}:${translate('Already reserved')}`,
    indexesError: findListError(errors, 'indexes'),
    indexSample: INDEX_SAMPLE,
    ownIndexes: listOwnIndexes(state),
  };
}
