import { translate } from '../../core/text/translate.ts';
import { type Step, toRoute } from '../../page/exchange.ts';
import type { RouteContribution } from '../../plan/feature.ts';
import { mayOpenDefinition } from './access.ts';

/**
 * A route of a page of definitions. The role gate has judged its path; this asks for more, because `/admin/system/model/**`
 * gives data and not the definitions that lie beside it.
 */
export const toDefinitionRoute = (
  method: 'GET' | 'POST',
  path: string,
  description: string,
  step: Step,
): RouteContribution =>
  toRoute(method, path, description, async (context, pair) => {
    if (mayOpenDefinition(context, pair.request.getPath('string'), method)) return step(context, pair);
    pair.response.setStatus(403).setError(true, translate('Your account may not open this.'));
  });
