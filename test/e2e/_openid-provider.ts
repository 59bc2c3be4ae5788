import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The part of oidc-provider, which has no types, that the tests use. */
type ProviderClass = new (issuer: string, configuration: object) => { callback(): RequestListener };

export interface OpenIdProvider {
  readonly issuer: string;
  /** Knows the site from now on. */
  admit(redirectUri: string): void;
  close(): Promise<void>;
}

const CLAIMS = { email: ['email', 'email_verified'], profile: ['name'], openid: ['sub'] };

/** The user of a login name: `ada` is Ada with a verified address at `provider.example`. */
const findAccount = (_context: unknown, accountId: string) => ({
  accountId,
  claims: () => ({
    sub: accountId,
    email: `${accountId}@provider.example`,
    email_verified: true,
    name: accountId.charAt(0).toUpperCase() + accountId.slice(1),
  }),
});

/** A certified OpenID provider (the package oidc-provider) with its own pages for login and consent. */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const { default: Provider } = (await import('oidc-provider' as string)) as { default: ProviderClass };
  const state: { listener: RequestListener | undefined } = { listener: undefined };
  const server = createServer((message, answer) => {
    if (state.listener) state.listener(message, answer);
    else answer.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    admit(redirectUri) {
      const client = { client_id: 'site', client_secret: 'provider secret', redirect_uris: [redirectUri] };
      const configuration = { clients: [client], claims: CLAIMS, findAccount, cookies: { keys: ['test'] } };
      state.listener = new Provider(issuer, configuration).callback();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
