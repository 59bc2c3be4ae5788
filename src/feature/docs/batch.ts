import type { Json } from '../../model/json/value-schema.ts';
import { type Batch, listBatches, listChildRelations } from '../../plan/call/batch.ts';
import type { CallPlan, Plan } from '../../plan/feature.ts';
import { toCallFacts } from './call-facts.ts';
import { createSampleBody } from './sample/call-sample.ts';

/** The batches that Treadle answers. */
export const listServedBatches = (plan: Plan): Batch[] => listBatches(plan).filter(({ rival }) => rival === undefined);

const isCreate = ({ definition }: CallPlan): boolean => definition.event === 'system-model-create';

/** One item. */
function toSampleItem(call: CallPlan, plan: Plan): Json {
  const facts = toCallFacts(call, plan);
  const path = facts.parameters.filter(({ place }) => place === 'path').map(({ name, sample }) => [name, sample]);
  return {
    call: call.name,
    ...(path.length > 0 ? { path: Object.fromEntries(path) } : {}),
    ...(facts.body.length > 0 ? { body: createSampleBody(facts) } : {}),
  };
}

/** One item that creates a row, if a call does. */
export function createPlainItem({ calls }: Batch, plan: Plan): Json {
  const known = [...calls.values()];
  const first = known.find(isCreate) ?? known[0];
  return first === undefined ? {} : toSampleItem(first, plan);
}

/** Two items with a reference between them, if the calls have a row and its child; else one item. */
export function createBatchSample(batch: Batch, plan: Plan): Json[] {
  const known = [...batch.calls.values()];
  for (const parent of known.filter(isCreate)) {
    const [relation] = listChildRelations(parent, plan).filter(({ creates }) => creates.length > 0);
    const child = relation?.creates.find(({ parameters }) => parameters.length === 0);
    const schema = plan.model.schemas.get(parent.schema ?? '');
    if (relation === undefined || child === undefined || schema === undefined) continue;
    const { body = {}, ...item } = toSampleItem(child, plan) as { readonly body?: Json };
    return [
      { id: 'a', ...toSampleItem(parent, plan) },
      { ...item, body: { ...body, [relation.key]: { $ref: `a.${schema.primary}` } } },
    ];
  }
  return [createPlainItem(batch, plan)];
}
