import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { ScopeModel } from '../../../model/model.ts';
import type { CallPlan } from '../../../plan/feature.ts';
import { toAlongRows } from '../along.ts';
import { printSample, toUrl } from '../sample/request.ts';
import type { Source } from '../source.ts';
import { toCallRow } from './call.ts';
import type { DocPage } from './page.ts';

export function buildScopeList(scopes: readonly ScopeModel[]): DocPage {
  return {
    path: 'scopes',
    kind: 'scopes',
    title: translate('Scopes'),
    template: 'scopes',
    words: 'permissions consent grant oauth',
    data: (links) => ({
      scopes: scopes.map(({ slug, definition, calls }) => ({
        slug,
        href: links.page(`scopes/${slug}`),
        name: toLocalText(definition.name),
        access: definition.access,
        description: toLocalText(definition.description ?? ''),
        needsApproval: definition.approval === true,
        count: calls.length,
      })),
      authentication: links.page('guide/authentication'),
    }),
  };
}

export function buildScopePage(scope: ScopeModel, source: Source, calls: readonly CallPlan[]): DocPage {
  const { slug, definition } = scope;
  const { mode } = source.plan.model.settings.oauth;
  const query = [['client_id', [{ env: 'CLIENT_ID' }]] as const, ['scope', [slug]] as const];
  return {
    path: `scopes/${slug}`,
    kind: 'scopes',
    title: toLocalText(definition.name),
    template: 'scope',
    words: `${slug} ${definition.access} ${definition.description ?? ''} ${scope.calls.join(' ')}`,
    data: (links) => ({
      slug,
      name: toLocalText(definition.name),
      description: toLocalText(definition.description ?? ''),
      access: definition.access,
      isUser: definition.access === 'user',
      needsApproval: definition.approval === true,
      calls: calls.filter(({ scopes }) => scopes.includes(slug)).map((call) => toCallRow(call, links)),
      along: toAlongRows(
        calls.filter(({ scopes }) => scopes.includes(slug)),
        source.plan,
        links,
      ),
      classic: mode === 'strict' ? undefined : printSample(toUrl(`${source.baseUrl}/dialog/request`, query)),
      standard: printSample(toUrl(`${source.baseUrl}/oauth/authorize`, [['response_type', ['code']], ...query])),
      authentication: links.page('guide/authentication'),
    }),
  };
}
