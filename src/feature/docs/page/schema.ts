import { toLocalText, translate } from '../../../core/text/translate.ts';
import { fieldKinds } from '../../../model/field/field-kind.ts';
import type { ColumnModel, SchemaModel } from '../../../model/model.ts';
import { describePeriods } from '../../../model/period-message.ts';
import { isServerSet, isSystemSet } from '../../../model/server-set.ts';
import type { CallPlan } from '../../../plan/feature.ts';
import { listBounds } from '../bounds.ts';
import type { Links } from '../links.ts';
import { createSampleDetail, listBranches, listRowKeys } from '../row.ts';
import type { Source } from '../source.ts';
import { createSample, describeColumn, describeType, listRules } from '../value.ts';
import { listSubjects, toCallRow } from './call.ts';
import { type DocPage, type PageData, print } from './page.ts';

export function buildSchemaList(schemas: readonly SchemaModel[], calls: readonly CallPlan[]): DocPage {
  const counts = new Map<string, number>();
  for (const name of calls.flatMap(listSubjects)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    path: 'schemas',
    kind: 'schemas',
    title: translate('Schemas'),
    template: 'schemas',
    words: 'data types objects fields columns',
    data: (links) => ({
      schemas: schemas.map(({ name, singular, plural, description, columns }) => ({
        href: links.page(`schemas/${name}`),
        name,
        singular: toLocalText(singular),
        plural: toLocalText(plural),
        description: toLocalText(description ?? ''),
        fields: columns.length,
        calls: counts.get(name) ?? 0,
      })),
    }),
  };
}

/** How a column can be used, and who sets it, in a word each. */
function listFlags(column: ColumnModel): string[] {
  const { isSecret } = fieldKinds[column.field.type];
  const flags: [boolean, string][] = [
    [column.isRequired, translate('required')],
    [column.isUnique, translate('unique')],
    [column.isSearchable, translate('searchable')],
    [column.isFilterable, translate('filterable')],
    [column.isSortable, translate('sortable')],
    [column.isPrivate, translate('private')],
    [isSystemSet(column) || isServerSet(column), translate('set by the site')],
    [isSecret, translate('never shown')],
  ];
  return flags.filter(([isSet]) => isSet).map(([, word]) => word);
}

/** The 1:1 relation that a row has a field from. */
function listOrigins(name: string, { row }: SchemaModel): string[] {
  const origin = row.flat.find((flat) => flat.name === name && flat.model !== undefined);
  if (origin === undefined) return [];
  const flags = [translate('of {name}', { name: origin.relation.name })];
  return origin.model?.isPrivate === true ? [...flags, translate('private')] : flags;
}

/** Longer examples would make the table's columns too narrow. */
const EXAMPLE_LIMIT = 60;

function toExample(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > EXAMPLE_LIMIT ? `${text.slice(0, EXAMPLE_LIMIT)}…` : text;
}

/** The fields of a schema: those that rows show, in order, then write-only ones. */
function listFields(schema: SchemaModel, source: Source): PageData[] {
  const shown = listRowKeys(schema, source.plan.model);
  const own = new Map(schema.columns.map((column) => [column.name, column]));
  const rows = shown.map(({ name, schema: type, sample, description }) => {
    const column = own.get(name);
    const rules = column && !isSystemSet(column) ? listRules(column) : [];
    return {
      name,
      id: `field-${name}`,
      type: describeType(type),
      description,
      flags: column
        ? listFlags(column)
        : name === schema.primary
          ? [translate('set by the site')]
          : listOrigins(name, schema),
      rules,
      // Rules describe the bounds themselves.
      bounds: rules.length > 0 ? [] : listBounds(type),
      example: toExample(sample),
    };
  });
  const written = schema.row.secrets.filter(({ name }) => !shown.some((key) => key.name === name));
  return [
    ...rows,
    ...written.map((column) => ({
      name: column.name,
      id: `field-${column.name}`,
      type: 'string',
      description: describeColumn(column),
      flags: listFlags(column),
      rules: listRules(column),
      bounds: [],
      example: toExample(createSample(column)),
    })),
  ];
}

export function buildSchemaPage(schema: SchemaModel, source: Source, calls: readonly CallPlan[]): DocPage {
  const { plan } = source;
  const { model } = plan;
  return {
    path: `schemas/${schema.name}`,
    kind: 'schemas',
    title: toLocalText(schema.singular),
    template: 'schema',
    words: `${schema.name} ${schema.plural} ${schema.description ?? ''} ${schema.columns.map(({ name }) => name).join(' ')}`,
    data: (links) => ({
      name: schema.name,
      singular: toLocalText(schema.singular),
      description: toLocalText(schema.description ?? ''),
      fields: listFields(schema, source),
      unique: schema.unique.map(({ columns, message }) => ({
        columns: columns.join(', '),
        message: toLocalText(message),
      })),
      exclude: describePeriods(schema),
      branches: listBranches(schema, model).map(({ name, target, isList }) => ({
        name,
        kind: isList ? translate('list') : translate('object or null'),
        target: target.name,
        href: links.page(`schemas/${target.name}`),
      })),
      sample: print(createSampleDetail(schema, model)),
      calls: calls.filter((call) => listSubjects(call).includes(schema.name)).map((call) => toCallRow(call, links)),
      hooks: plan.hooks
        .filter((hook) => hook.schema === schema.name)
        .map(({ name, definition }) => toHookLink(name, definition, links)),
      searching: links.page('guide/searching'),
    }),
  };
}

const toHookLink = (name: string, { title, type }: { title: string; type: string }, links: Links): PageData => ({
  href: links.page(`webhooks/${name}`),
  title: toLocalText(title),
  type,
});
