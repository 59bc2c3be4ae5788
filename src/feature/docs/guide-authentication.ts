import { toLocalText } from '../../core/text/translate.ts';
import type { Links } from './links.ts';
import { type PageData, print } from './page/page.ts';
import { env, printSample, type SampleRequest, toUrl } from './sample/request.ts';
import { toSamples } from './sample/samples.ts';
import type { Source } from './source.ts';

const CLIENT = { user: 'CLIENT_ID', password: 'CLIENT_SECRET' } as const;

const toForm = (url: string, form: SampleRequest['form'], basic?: SampleRequest['basic']): SampleRequest => ({
  method: 'POST',
  url: [url],
  headers: [],
  form: form ?? [],
  ...(basic ? { basic } : {}),
  isEnvelope: false,
});

function toStandard(baseUrl: string, scope: string | undefined, accessSeconds: number): PageData {
  const token = `${baseUrl}/oauth/token`;
  return {
    authorize: printSample(
      toUrl(`${baseUrl}/oauth/authorize`, [
        ['response_type', ['code']],
        ['client_id', [env('CLIENT_ID')]],
        ['redirect_uri', [env('REDIRECT_URI')]],
        ...(scope === undefined ? [] : [['scope', [scope]] as const]),
        ['state', [env('STATE')]],
        ['code_challenge', [env('CODE_CHALLENGE')]],
        ['code_challenge_method', ['S256']],
      ]),
    ),
    exchange: toSamples(
      toForm(
        token,
        [
          ['grant_type', ['authorization_code']],
          ['code', [env('CODE')]],
          ['redirect_uri', [env('REDIRECT_URI')]],
          ['code_verifier', [env('CODE_VERIFIER')]],
        ],
        CLIENT,
      ),
    ),
    answer: print({
      access_token: 'ACCESS_TOKEN',
      token_type: 'Bearer',
      expires_in: accessSeconds,
      refresh_token: 'REFRESH_TOKEN',
      scope: scope ?? '',
    }),
    refresh: toSamples(
      toForm(
        token,
        [
          ['grant_type', ['refresh_token']],
          ['refresh_token', [env('REFRESH_TOKEN')]],
        ],
        CLIENT,
      ),
    ),
    own: toSamples(toForm(token, [['grant_type', ['client_credentials']]], CLIENT)),
    revoke: `${baseUrl}/oauth/revoke`,
    introspect: `${baseUrl}/oauth/introspect`,
    userinfo: `${baseUrl}/oauth/userinfo`,
    metadata: `${baseUrl}/.well-known/oauth-authorization-server`,
  };
}

function toClassic(baseUrl: string, scope: string | undefined, isQuerySecret: boolean): PageData {
  const parameters = [
    ['client_id', [env('CLIENT_ID')]],
    ['client_secret', [env('CLIENT_SECRET')]],
    ['code', [env('CODE')]],
  ] as const;
  const access = `${baseUrl}/rest/access`;
  const exchange: SampleRequest = isQuerySecret
    ? { method: 'POST', url: toUrl(access, parameters), headers: [], isEnvelope: true }
    : { ...toForm(access, parameters), isEnvelope: true };
  return {
    dialog: printSample(
      toUrl(`${baseUrl}/dialog/request`, [
        ['client_id', [env('CLIENT_ID')]],
        ...(scope === undefined ? [] : [['scope', [scope]] as const]),
        ['state', [env('STATE')]],
      ]),
    ),
    exchange: toSamples(exchange),
    answer: print({
      error: false,
      results: {
        access_token: 'ACCESS_TOKEN',
        access_secret: 'ACCESS_SECRET',
        profile_id: '1',
        profile_name: 'Ann',
        profile_created: '2026-01-15 09:30:00',
      },
    }),
  };
}

/** The page on credentials: both sets of endpoints, with samples for a scope and a call of this API. */
export function buildAuthentication({ plan, baseUrl }: Source, links: Links): PageData {
  const { settings, scopes } = plan.model;
  const { mode, codeSeconds, accessSeconds, classicAccessSeconds } = settings.oauth;
  const scope = [...scopes.values()].find(({ definition }) => definition.access === 'user');
  const call = scope && plan.calls.find(({ scopes: held }) => held.includes(scope.slug));
  const path = (call?.path ?? '/rest/user/profile/detail').replace(/:\w+/g, '1');
  const request: SampleRequest = {
    method: call && call.definition.method !== 'all' ? call.definition.method.toUpperCase() : 'GET',
    url: [`${baseUrl}${path}`],
    headers: [['Authorization', ['Bearer ', env('ACCESS_TOKEN')]]],
    isEnvelope: true,
  };
  return {
    standard: toStandard(baseUrl, scope?.slug, accessSeconds),
    classic: mode === 'strict' ? undefined : toClassic(baseUrl, scope?.slug, mode === 'classic'),
    call: toSamples(request),
    callTitle: call && toLocalText(call.definition.title),
    callHref: call && links.page(`calls/${call.name}`),
    isQueryToken: mode !== 'strict',
    codeSeconds,
    accessSeconds,
    classicDays: Math.round(classicAccessSeconds / 86_400),
    links: { scopes: links.page('scopes'), calls: links.page('calls'), limits: links.page('guide/limits') },
  };
}
