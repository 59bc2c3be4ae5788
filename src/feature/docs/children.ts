import { translate } from '../../core/text/translate.ts';
import type { Json } from '../../model/json/value-schema.ts';
import type { SchemaModel } from '../../model/model.ts';
import { type ChildRelation, listChildRelations, MOST_ITEMS } from '../../plan/call/batch.ts';
import type { CallPlan, Plan } from '../../plan/feature.ts';
import { type BodyFacts, listColumns, toColumnsSchema } from './call-body.ts';
import { toNoun } from './value.ts';

/** Name of the component with what a child may have in the body of its parent. */
const toComponent = (schema: SchemaModel, { name }: ChildRelation): string => `${schema.name}-${name}-child`;

/** The columns of a child, without the key of its parent. */
const listChildColumns = (call: CallPlan, { target, key, creates }: ChildRelation): BodyFacts[] =>
  listColumns(creates[0] ?? call, target, 'create').filter(({ name }) => name !== key);

/** The lists of children that the body of a call may have. */
export function listChildBody(call: CallPlan, schema: SchemaModel, plan: Plan): BodyFacts[] {
  return listChildRelations(call, plan).map((relation) => {
    const { name, target } = relation;
    const rows = toNoun(target.plural);
    const columns = listChildColumns(call, relation);
    const required = columns.filter(({ isRequired }) => isRequired);
    const sample = (required.length > 0 ? required : columns.slice(0, 1)).map((column) => [column.name, column.sample]);
    return {
      name,
      type: translate('list of objects'),
      isRequired: false,
      rules: [translate('at most {most} children in all', { most: MOST_ITEMS })],
      description: translate('{rows} to create with the row; one with an id is changed, and others stay', { rows }),
      schema: {
        type: 'array',
        maxItems: MOST_ITEMS,
        items: { $ref: `#/components/schemas/${toComponent(schema, relation)}` },
      },
      sample: [Object.fromEntries(sample)],
    };
  });
}

/** The component schemas of the children that bodies of calls may have. */
export function toChildSchemas({ calls, model }: Plan): Record<string, Json> {
  const entries = calls.flatMap((call) => {
    const schema = model.schemas.get(call.schema ?? '');
    if (schema === undefined) return [];
    return listChildRelations(call, { calls, model }).map((relation): [string, Json] => {
      const { target } = relation;
      const { required: _, ...columns } = toColumnsSchema(listChildColumns(call, relation));
      const id = { type: 'integer', minimum: 1, description: 'Of a child that is there already' };
      const child = {
        ...columns,
        title: `${target.singular} in the body of its ${schema.singular}`,
        properties: { [target.primary]: id, ...columns.properties },
      };
      return [toComponent(schema, relation), child];
    });
  });
  return Object.fromEntries(entries);
}

/** The lists of children that an answer has if its request brought them. */
export const listChildAnswers = (call: CallPlan, plan: Plan): ReadonlyMap<string, SchemaModel> =>
  new Map(listChildRelations(call, plan).map(({ name, target }) => [name, target]));
