import { type Clock, toStamp } from '../../core/clock.ts';
import type { Messages } from '../../core/request/response.ts';
import { noteOthers, noteRule, type RuleNote } from '../../core/text/rule-note.ts';
import { toDefault } from '../../model/field/field-default.ts';
import { fieldKinds, type PrepareTools } from '../../model/field/field-kind.ts';
import { compileValidator, type ValidateMode, type Values } from '../../model/field/validate.ts';
import type { ColumnModel, Model, RelationModel, SchemaModel } from '../../model/model.ts';
import { toLabelText, toTable } from '../../model/names.ts';
import { ColumnRefused, prepareColumn } from '../../model/prepare.ts';
import { isServerSet, isSystemSet } from '../../model/server-set.ts';
import { type Stage, toId } from './stage.ts';

/** A foreign key in the schema's own table. */
export interface ForeignKey {
  readonly column: string;
  /** The schema that it refers to. */
  readonly target: SchemaModel;
  /** `one`: 1:1, required. `maybe`: 1:0. `parent`: the child's key of a 1:N. */
  readonly kind: 'one' | 'maybe' | 'parent';
  readonly label: string;
  /** For a value that is no id. */
  readonly message: string;
}

/** A relation by which a create can link the new row, with an id in its stage. */
export interface ChildLink {
  readonly relation: RelationModel;
  readonly target: SchemaModel;
  /** Stage key of the id. */
  readonly key: string;
}

/** How rows of a schema are validated and prepared; compiled once per plan. */
export interface RowPlan {
  readonly schema: SchemaModel;
  readonly foreign: readonly ForeignKey[];
  readonly links: readonly ChildLink[];
  readonly unique: readonly ColumnModel[];
  /** Columns that only code sets. */
  readonly serverSet: readonly string[];
  validate(stage: Stage, mode: ValidateMode, stored?: Stage): Messages;
}

/** Values of a row to store, and the messages of those that were refused. */
export interface PreparedRow {
  readonly values: Values;
  readonly messages: Messages;
}

function listForeign(model: Model, schema: SchemaModel): ForeignKey[] {
  return schema.row.keys.flatMap(({ column, target: targetName, isNullable, origin, relation }): ForeignKey[] => {
    const target = model.schemas.get(targetName);
    if (!target) return [];
    const isNamed = origin === 'own' && relation.name !== targetName;
    const label = isNamed ? toLabelText(relation.name) : target.singular;
    const kind = origin === 'parent' ? 'parent' : isNullable ? 'maybe' : 'one';
    return [{ column, target, kind, label, message: `${label} should be valid` }];
  });
}

/**
 * Relations by which a create links the new row. The stage key is the target's primary key (`comment_id`), or
 * `<relation>_id` if two relations have the same target or that key is a column.
 */
function listLinks(model: Model, schema: SchemaModel, columns: ReadonlySet<string>): ChildLink[] {
  const lists = schema.relations.filter(
    ({ kind, target }) => (kind === '1:N' || kind === 'N:N') && target !== schema.name,
  );
  return lists.flatMap((relation) => {
    const target = model.schemas.get(relation.target);
    if (!target) return [];
    const isOnly = lists.every((other) => other === relation || other.target !== relation.target);
    const isPlain = relation.name === relation.target || (isOnly && !columns.has(target.primary));
    const key = isPlain ? target.primary : `${toTable(relation.name)}_id`;
    return columns.has(key) ? [] : [{ relation, target, key }];
  });
}

export function compileRowPlan(model: Model, schema: SchemaModel, clock: Clock): RowPlan {
  const foreign = listForeign(model, schema);
  const taken = new Set(foreign.map(({ column }) => column));
  return {
    schema,
    foreign,
    links: listLinks(model, schema, taken),
    unique: schema.columns.filter(({ isUnique }) => isUnique),
    serverSet: schema.columns.filter(isServerSet).map(({ name }) => name),
    validate: compileValidator(schema, clock),
  };
}

/** True for columns that create and update accept; Treadle sets the others. */
const isOpen = (column: ColumnModel): boolean => !isSystemSet(column);

/** The stage's values of the schema's own columns, with defaults on create. Ignores everything else. */
export function readRowValues({ schema }: RowPlan, stage: Stage, mode: ValidateMode, now: number): Values {
  const values: Values = {};
  for (const column of schema.columns) {
    if (!isOpen(column)) continue;
    const { name } = column;
    if (Object.hasOwn(stage, name) && stage[name] !== undefined) values[name] = stage[name];
    else if (mode === 'create') {
      const value = toDefault(column.field, now);
      if (value !== undefined) values[name] = value;
    }
  }
  return values;
}

const REQUIRED: RuleNote = { rule: 'required' };
const ID: RuleNote = { rule: 'type', params: { type: 'id' } };

/** The stage's foreign keys: ids, or null to clear one, and a message for each invalid id. */
export function readForeignValues(plan: RowPlan, stage: Stage, mode: ValidateMode, isPatch = false): PreparedRow {
  const values: Values = {};
  const messages: Messages = {};
  for (const { column, kind, message } of plan.foreign) {
    const sent = stage[column];
    const isSent = Object.hasOwn(stage, column) && sent !== undefined;
    const isBlank = sent === null || sent === '' || sent === undefined;
    if (!isSent && (mode === 'update' || kind !== 'one')) continue;
    // A blank parent key is ignored, so that an empty form field does not unlink; unlinking is explicit.
    if (isBlank && kind === 'parent' && !(isPatch && sent === null)) continue;
    if (isBlank && kind !== 'one') values[column] = null;
    else {
      const id = toId(sent);
      if (id === undefined) messages[column] = noteRule(message, isBlank ? REQUIRED : ID, column);
      else values[column] = id;
    }
  }
  return { values, messages };
}

/** Ids of the rows to link with a new row. */
export function listChildIds(plan: RowPlan, stage: Stage): { readonly link: ChildLink; readonly id: number }[] {
  return plan.links.flatMap((link) => {
    const id = toId(stage[link.key]);
    return id === undefined ? [] : [{ link, id }];
  });
}

/** Adds the values that Treadle sets: times, `active`, uuid and IP address. */
export function addSystemValues({ schema }: RowPlan, mode: ValidateMode, tools: PrepareTools, values: Values): void {
  for (const { name, field } of schema.columns) {
    if (field.type === 'updated' || (mode === 'create' && field.type === 'created')) values[name] = toStamp(tools.now);
    else if (mode === 'create' && field.type === 'active') values[name] ??= 1;
    else if (mode === 'create' && (field.type === 'uuid' || field.type === 'ipaddress')) {
      values[name] = fieldKinds[field.type].prepare(undefined, tools);
    }
  }
}

/**
 * Prepares valid values for storage: hashes passwords, cleans HTML, stores files, encodes JSON. May be slow, so
 * call it before the transaction. Gives a promise only if needed.
 */
export function prepareRow(
  plan: RowPlan,
  values: Values,
  mode: ValidateMode,
  tools: PrepareTools,
): PreparedRow | Promise<PreparedRow> {
  const { columns } = plan.schema;
  const prepared: PreparedRow = { values: {}, messages: {} };
  const prepare = (first: number): PreparedRow | Promise<PreparedRow> => {
    for (let index = first; index < columns.length; index += 1) {
      const column = columns[index] as ColumnModel;
      if (!isOpen(column) || !Object.hasOwn(values, column.name)) continue;
      const end = (value: unknown): void => setPrepared(plan, { column, value, mode }, prepared);
      const refuse = (error: unknown): void => {
        if (!(error instanceof ColumnRefused)) throw error;
        noteOthers({ messages: error.messages }, () => ({ rule: 'type', params: { type: column.field.type } }));
        prepared.messages[column.name] = error.messages;
      };
      try {
        const value = prepareColumn(column, values[column.name], tools);
        if (value instanceof Promise)
          return value
            .then(end)
            .catch(refuse)
            .then(() => prepare(index + 1));
        end(value);
      } catch (error) {
        refuse(error);
      }
    }
    addSystemValues(plan, mode, tools, prepared.values);
    return prepared;
  };
  return prepare(0);
}

/** Adds a column's prepared value. */
function setPrepared(
  plan: RowPlan,
  { column, value, mode }: { readonly column: ColumnModel; readonly value: unknown; readonly mode: ValidateMode },
  { values, messages }: PreparedRow,
): void {
  const { name, field, isRequired } = column;
  // An empty password means no change.
  if (value === null && fieldKinds[field.type].isSecret && mode === 'update') return;
  if (value === null && isRequired) Object.assign(messages, plan.validate({ [name]: null }, 'update'));
  values[name] = value;
}
