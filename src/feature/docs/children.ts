import { translate } from '../../core/text/translate.ts';
import type { Json } from '../../model/json/value-schema.ts';
import type { SchemaModel } from '../../model/model.ts';
import { type ChildRelation, listChildRelations, MOST_ITEMS } from '../../plan/call/batch.ts';
import type { CallPlan, Plan } from '../../plan/feature.ts';
import { type BodyFacts, listColumns, toColumnsSchema } from './call-body.ts';
import { toNoun } from './value.ts';

/** Name of the component with what a child may have in the body of its parent: each access has calls of its own. */
const toComponent = ({ definition }: CallPlan, schema: SchemaModel, { name }: ChildRelation): string =>
  `${definition.access}-${schema.name}-${name}-child`;

/** The columns of a child, without the key of its parent: those that the calls on children take. */
function listChildColumns({ target, key, creates, updates }: ChildRelation): BodyFacts[] {
  const [call = updates[0]] = creates;
  const action = creates.length > 0 ? 'create' : 'update';
  return call === undefined ? [] : listColumns(call, target, action).filter(({ name }) => name !== key);
}

/** The lists of children that the body of a call may have. */
export function listChildBody(call: CallPlan, schema: SchemaModel, plan: Plan): BodyFacts[] {
  return listChildRelations(call, plan).map((relation) => {
    const { name, target } = relation;
    const rows = toNoun(target.plural);
    const columns = listChildColumns(relation);
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
        items: { $ref: `#/components/schemas/${toComponent(call, schema, relation)}` },
      },
      sample: [Object.fromEntries(sample)],
    };
  });
}

function toChildSchema(schema: SchemaModel, relation: ChildRelation): Json {
  const { target } = relation;
  const { required: _, ...columns } = toColumnsSchema(listChildColumns(relation));
  const id = { type: 'integer', minimum: 1, description: 'Of a child that is there already' };
  return {
    ...columns,
    title: `${target.singular} in the body of its ${schema.singular}`,
    properties: { [target.primary]: id, ...columns.properties },
  };
}

/** The component schemas of the children that bodies of calls may have. */
export function toChildSchemas(plan: Plan): Record<string, Json> {
  const schemas: Record<string, Json> = {};
  for (const call of plan.calls) {
    const schema = plan.model.schemas.get(call.schema ?? '');
    if (schema === undefined) continue;
    for (const relation of listChildRelations(call, plan))
      schemas[toComponent(call, schema, relation)] ??= toChildSchema(schema, relation);
  }
  return schemas;
}

/** The lists of children that an answer has if its request brought them. */
export const listChildAnswers = (call: CallPlan, plan: Plan): ReadonlyMap<string, SchemaModel> =>
  new Map(listChildRelations(call, plan).map(({ name, target }) => [name, target]));
