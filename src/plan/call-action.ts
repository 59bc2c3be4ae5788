import type { Action } from '../core/access.ts';
import type { Model } from '../model/model.ts';
import type { Call } from './ask.ts';

const MODEL = /^system-model-(search|detail|create|update|remove|restore|import)$/;
const LINKS = /^system-relation-(?:link|unlink|unlink-all)$/;
const BATCH: readonly Action[] = ['create', 'update', 'remove', 'restore'];

/** What a call does with a schema's rows, as its definition tells. */
export interface CallActions {
  readonly schema: string;
  readonly actions: readonly Action[];
}

/** Undefined where the definition does not tell: a handler answers, or the request names the schema. */
export function findCallActions(
  { definition, handler, schema }: Call,
  { schemas }: Pick<Model, 'schemas'>,
): CallActions | undefined {
  const { event, parameters = {} } = definition;
  if (handler !== undefined) return undefined;
  const action = MODEL.exec(event)?.[1] as Action | undefined;
  if (schema !== undefined && action !== undefined) return { schema, actions: [action] };
  if (schema !== undefined && event === 'system-model-batch') return { schema, actions: BATCH };
  if (!LINKS.test(event)) return undefined;
  // Asked of the schema that declares the relation.
  const [first, second] = [parameters.schema1, parameters.schema2].map((name) => schemas.get(String(name)));
  const declares = first?.relations.some(({ target }) => target === second?.name);
  const declaring = declares === true ? first : second;
  return declaring && { schema: declaring.name, actions: ['link'] };
}
