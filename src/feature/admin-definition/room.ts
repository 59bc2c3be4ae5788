import { translate } from '../../core/text/translate.ts';
import { createRoute, type Step } from '../../page/exchange.ts';
import type { RouteContribution } from '../../plan/feature.ts';
import { mayOpenDefinition } from './access.ts';

/**
 * A route of a page of definitions. The role gate has judged its path; this asks for more, because `/admin/system/model/**`
 * gives data and not the definitions that lie beside it.
 */
export const createDefinitionRoute = (
  method: 'GET' | 'POST',
  path: string,
  description: string,
  step: Step,
): RouteContribution =>
  createRoute(method, path, description, async (context, exchange) => {
    if (mayOpenDefinition(context, exchange.request.getPath('string'), method)) return step(context, exchange);
    exchange.response.setStatus(403).setError(true, translate('Your account may not open this.'));
  });
