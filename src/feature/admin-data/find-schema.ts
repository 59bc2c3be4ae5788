import { translate } from '../../core/text/translate.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Exchange } from '../../page/exchange.ts';
import type { Context } from '../../plan/feature.ts';

/**
 * The schema that a parameter of the path names. Answers 404 and gives undefined if there is no such schema, and gives undefined if
 * another page has answered: kinds of definitions have pages of the same paths, which answer first.
 */
export function findSchema(
  { plan }: Context,
  { request, response }: Exchange,
  parameter = 'schema',
): SchemaModel | undefined {
  if (response.isAnswered()) return undefined;
  const name = request.getParameters(parameter) ?? '';
  const schema = plan.model.schemas.get(name);
  if (schema === undefined) {
    response.setStatus(404).setError(true, translate('There is no schema "{name}".', { name: name.slice(0, 64) }));
  }
  return schema;
}
