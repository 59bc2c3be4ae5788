import type { Plan } from '../../plan/feature.ts';
import { toCurl } from './curl.ts';
import type { Links } from './links.ts';
import { OPERATORS } from './search-parameters.ts';

/** Where an app is registered; undefined in static docs of a site whose address is not known. */
function toRegister({ model }: Plan, links: Links): string | undefined {
  const { baseUrl } = model.settings.server;
  if (links.base !== '' && baseUrl === null) return undefined;
  return `${links.base === '' ? '' : baseUrl}/developer/app/search`;
}

/** What the overview shows: how to get a token, and what all calls have in common. */
export function toOverview(plan: Plan, baseUrl: string, links: Links): Readonly<Record<string, unknown>> {
  const { settings, scopes } = plan.model;
  const isClassic = settings.oauth.mode === 'classic';
  const scope = [...scopes.values()].find(({ definition }) => definition.access === 'user');
  const userCall = scope && plan.calls.find(({ scopes: held }) => held.includes(scope.slug));
  const tokenParameters = 'client_id=CLIENT_ID&client_secret=CLIENT_SECRET&code=CODE';
  const path = (userCall?.path ?? '/rest/user/profile/detail').replace(/:[A-Za-z0-9_]+/g, '1');
  return {
    siteName: settings.name,
    baseUrl,
    register: toRegister(plan, links),
    dialog: `${baseUrl}/dialog/request?client_id=CLIENT_ID${scope ? `&scope=${encodeURIComponent(scope.slug)}` : ''}`,
    exchange: isClassic
      ? toCurl({ method: 'post', url: `${baseUrl}/rest/access?${tokenParameters}` })
      : toCurl({ method: 'post', url: `${baseUrl}/rest/access`, body: tokenParameters }),
    exchangeAnswer: JSON.stringify(
      {
        error: false,
        results: {
          access_token: 'ACCESS_TOKEN',
          access_secret: 'ACCESS_SECRET',
          profile_id: '1',
          profile_name: 'Ann',
          profile_created: '2026-01-15 09:30:00',
        },
      },
      null,
      2,
    ),
    call: toCurl({ method: 'get', url: `${baseUrl}${path}`, headers: ['Authorization: Bearer ACCESS_TOKEN'] }),
    isQueryToken: settings.oauth.mode !== 'strict',
    codeSeconds: settings.oauth.codeSeconds,
    perMinute: settings.limits.perMinute,
    pageRows: settings.limits.pageRows,
    maxPageRows: settings.limits.maxPageRows,
    operators: OPERATORS.join(' '),
    counts: { calls: plan.calls.length, scopes: scopes.size, hooks: plan.hooks.length },
    links: {
      calls: links.page('calls'),
      scopes: links.page('scopes'),
      webhooks: links.page('webhooks'),
      schemas: links.page('schemas'),
      openapi: links.openapi,
    },
    problem: JSON.stringify(
      {
        type: 'about:blank',
        title: 'Unprocessable Content',
        status: 422,
        detail: 'Some values are not valid.',
        error: true,
        message: 'Some values are not valid.',
        validation: { comment_detail: 'Comment is required' },
      },
      null,
      2,
    ),
  };
}
