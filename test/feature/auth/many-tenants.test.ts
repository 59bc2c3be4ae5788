import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/core/clock.ts';
import { Memory } from '../../../src/core/memory.ts';
import { type Identity, readIdentity } from '../../../src/feature/auth/provider/identity.ts';
import { listProviders, type ProviderModel } from '../../../src/model/provider.ts';
import { Settings } from '../../../src/model/shape.ts';
import type { Context } from '../../../src/plan/feature.ts';
import { FakeIssuer } from '../../e2e/_issuer.ts';

const TENANT = '11111111-2222-4333-8444-555555555555';
const VERIFIER = 'v'.repeat(43);
const CALLBACK = 'http://127.0.0.1/back';

const tenants = suite<{ issuer: FakeIssuer }>('a provider of many organizations');
tenants.before(async (at) => {
  at.issuer = await new FakeIssuer().start();
});
tenants.after(({ issuer }) => issuer.close());

/** A context that sends to the issuer as it is. */
function toContext(): Context {
  const send = async ({
    url,
    method,
    headers,
    body,
  }: {
    url: string;
    method: string;
    headers: object;
    body?: string;
  }) => {
    const answer = await fetch(url, { method, headers: headers as Record<string, string>, ...(body ? { body } : {}) });
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  };
  const settings = Settings.parse({ home: '/' });
  return {
    plan: { model: { settings } },
    services: { memory: new Memory(), clock: systemClock, outbound: { send } },
  } as unknown as Context;
}

/** Signs in at an issuer with this template, with these claims in the token. */
async function signIn(issuer: FakeIssuer, template: string, claims: Record<string, unknown>): Promise<Identity> {
  const auth = { providers: { microsoft: { clientId: 'site', trustEmail: true } } };
  const provider = listProviders(Settings.parse({ home: '/', auth })).get('microsoft') as ProviderModel;
  issuer.twist = { claims, back: { iss: undefined } };
  const asked = new URLSearchParams({ client_id: 'site', redirect_uri: CALLBACK, state: 's', nonce: 'n' });
  asked.set('code_challenge', createHash('sha256').update(VERIFIER).digest('base64url'));
  const back = await fetch(`${issuer.url}/authorize?${asked}`, { redirect: 'manual' });
  const query = new URL(back.headers.get('location') ?? '').searchParams;
  const metadata = {
    issuer: template,
    token_endpoint: `${issuer.url}/token`,
    jwks_uri: `${issuer.url}/jwks`,
    id_token_signing_alg_values_supported: ['RS256'],
  };
  const exchange = {
    query,
    state: 's',
    nonce: 'n',
    verifier: VERIFIER,
    redirectUri: CALLBACK,
    secret: 'provider secret',
  };
  return readIdentity(toContext(), provider, { server: { metadata, keys: {} }, exchange });
}

tenants('vouches for no e-mail: each organization writes those of its users', async ({ issuer }) => {
  const template = `${issuer.url}/{tenantid}/v2.0`;
  const claims = { tid: TENANT, iss: `${issuer.url}/${TENANT}/v2.0`, email_verified: true };
  const identity = await signIn(issuer, template, claims);
  assert.equal([identity.issuer, identity.isVerified], [claims.iss, false]);
  const own = await signIn(issuer, claims.iss, { ...claims, email_verified: undefined });
  assert.is(own.isVerified, true, 'the issuer of one organization, by the settings');
});

tenants('takes a token of the organization that it names only', async ({ issuer }) => {
  const template = `${issuer.url}/{tenantid}/v2.0`;
  const other = `${issuer.url}/99999999-2222-4333-8444-555555555555/v2.0`;
  for (const claims of [{ tid: TENANT, iss: other }, { iss: other }, { tid: '../x', iss: `${issuer.url}/../x/v2.0` }]) {
    const failed = await signIn(issuer, template, claims).then(
      () => false,
      () => true,
    );
    assert.ok(failed, JSON.stringify(claims));
  }
});

tenants.run();
