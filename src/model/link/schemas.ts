import type { Definitions } from '../definitions.ts';
import type { ColumnModel, RelationModel, SchemaModel } from '../model.ts';
import {
  findColumnReserve,
  findSchemaReserve,
  listFormer,
  toColumn,
  toLabelText,
  toPrimary,
  toTable,
} from '../names.ts';
import type { Source } from '../parse.ts';
import type { Field, FieldType, Schema } from '../shape.ts';
import { MAX_FIELDSETS } from './fields.ts';
import type { Report } from './report.ts';

/** A schema being linked: relations are added once all schemas are known. */
export interface SchemaDraft
  extends Omit<
    SchemaModel,
    'columns' | 'byName' | 'relations' | 'reverse' | 'row' | 'trees' | 'unique' | 'exclude' | 'indexes'
  > {
  /** Those of computed fields are replaced once their types are known. */
  readonly columns: ColumnModel[];
  readonly byName: Map<string, ColumnModel>;
  readonly relations: RelationModel[];
  readonly reverse: RelationModel[];
  readonly source: Source<Schema>;
}

const hasRule = (field: Field, method: string): boolean =>
  (field.validation ?? []).some((rule) => rule.method === method);

/** The fields of a fieldset, as columns of the group. */
function toParts(field: Field, definitions: Definitions, depth = 1): Pick<ColumnModel, 'parts'> {
  if (field.type !== 'fieldset' || field.fieldset === undefined || depth > MAX_FIELDSETS) return {};
  const fields = definitions.fieldset.get(field.fieldset)?.value.fields ?? [];
  const parts = fields
    .filter(({ type }) => type !== 'none')
    .map((part) =>
      Object.freeze({ name: part.name, was: [], ...toFacts(part), ...toParts(part, definitions, depth + 1) }),
    );
  return { parts: Object.freeze(parts) };
}

function createColumnModel(schema: Schema, field: Field, definitions: Definitions): ColumnModel {
  const name = toColumn(schema.name, field.name);
  const schemas = [...listFormer(schema.was), schema.name];
  const fields = [...listFormer(field.was), field.name];
  const former = fields.flatMap((own) => schemas.map((prefix) => toColumn(prefix, own)));
  return Object.freeze({
    name,
    was: Object.freeze([...new Set(former)].filter((other) => other !== name)),
    ...toFacts(field),
    ...toParts(field, definitions),
  });
}

/** The facts of a column that depend only on its field. */
function toFacts(field: Field): Omit<ColumnModel, 'name' | 'was' | 'parts'> {
  return {
    field,
    label: field.label ?? toLabelText(field.name),
    isRequired: field.required === true || hasRule(field, 'required'),
    isUnique: field.unique === true || hasRule(field, 'unique'),
    isSearchable: field.searchable === true,
    isFilterable: field.filterable === true,
    isSortable: field.sortable === true,
    isPrivate: field.private === true,
  };
}

function createDraft(source: Source<Schema>, definitions: Definitions): SchemaDraft {
  const schema = source.value;
  const columns = schema.fields
    .filter(({ type }) => type !== 'none')
    .map((field) => createColumnModel(schema, field, definitions));
  const findSpecial = (type: FieldType): string | undefined => columns.find(({ field }) => field.type === type)?.name;
  // If a field's own name equals another column's full name, the full name wins.
  const byName = new Map(columns.map((column) => [column.field.name, column] as const));
  for (const column of columns) byName.set(column.name, column);
  return {
    name: schema.name,
    singular: schema.singular,
    plural: schema.plural,
    icon: schema.icon,
    description: schema.description,
    display: schema.display,
    was: listFormer(schema.was),
    table: toTable(schema.name),
    primary: toPrimary(schema.name),
    columns,
    byName,
    active: findSpecial('active'),
    created: findSpecial('created'),
    updated: findSpecial('updated'),
    relations: [],
    reverse: [],
    definition: schema,
    file: source.file,
    source,
  };
}

function checkColumns(draft: SchemaDraft, report: Report): void {
  const primaryReserve = findColumnReserve(draft.primary);
  if (primaryReserve !== undefined) {
    const message = `The schema "${draft.name}" would have the key "${draft.primary}", but ${primaryReserve}.`;
    report.add(draft.source, ['name'], { code: 'MODEL_COLUMN_RESERVED', message, hint: 'Choose another name.' });
  }
  for (const { name, field } of draft.columns) {
    const reserve = findColumnReserve(name);
    if (reserve === undefined) continue;
    const index = draft.definition.fields.indexOf(field);
    const message = `The field "${field.name}" would have the column "${name}", but ${reserve}.`;
    const hint = 'Choose another name.';
    report.add(draft.source, ['fields', index, 'name'], { code: 'MODEL_COLUMN_RESERVED', message, hint });
  }
}

function checkWas(source: Source<Schema>, definitions: Definitions, report: Report): void {
  for (const was of listFormer(source.value.was)) checkFormer(was, source, definitions, report);
}

function checkFormer(was: string, source: Source<Schema>, definitions: Definitions, report: Report): void {
  const { name } = source.value;
  const isSame = toTable(was) === toTable(name);
  // If that schema was renamed too, the names were shifted or exchanged, which is allowed.
  const holder = definitions.schema.get(was)?.value;
  if (!isSame && (holder === undefined || holder.was !== undefined)) return;
  const message = isSame
    ? `"was" is the schema's current name, "${was}".`
    : `"was" names the schema "${was}", which still exists.`;
  const hint = isSame ? 'Remove "was".' : 'Remove "was", or remove the other schema.';
  report.add(source, ['was'], { code: 'MODEL_SCHEMA_WAS', message, hint });
}

/** Drafts of all schemas by name, without relations. */
export function draftSchemas(definitions: Definitions, report: Report): Map<string, SchemaDraft> {
  const drafts = new Map<string, SchemaDraft>();
  const tables = new Map<string, string>();
  for (const source of definitions.schema.values()) {
    const { name } = source.value;
    const reserve = findSchemaReserve(name);
    if (reserve !== undefined) {
      const message = `A schema may not be named "${name}": ${reserve}.`;
      const hint = `Choose another name, such as "my_${toTable(name)}".`;
      report.add(source, ['name'], { code: 'MODEL_SCHEMA_RESERVED', message, hint });
    }
    const table = toTable(name).toLowerCase();
    const other = tables.get(table);
    if (other !== undefined) {
      const message = `The schema "${name}" would have the same table as the schema of ${other}.`;
      const hint = 'Rename one: a table name does not distinguish "-" from "_", nor upper from lower case.';
      report.add(source, ['name'], { code: 'MODEL_SCHEMA_DUPLICATE', message, hint });
      continue;
    }
    tables.set(table, source.file);
    checkWas(source, definitions, report);
    const draft = createDraft(source, definitions);
    checkColumns(draft, report);
    drafts.set(name, draft);
  }
  return drafts;
}
