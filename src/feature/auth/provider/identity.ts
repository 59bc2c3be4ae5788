import type { AuthorizationServer, Client, ClientAuth } from 'oauth4webapi';
import { isLoopbackHost } from '../../../core/text/host.ts';
import { toOneLine } from '../../../model/field/one-line.ts';
import type { ProviderModel } from '../../../model/provider.ts';
import type { Context } from '../../../plan/feature.ts';
import { createGuardedFetch, type GuardedFetch } from './fetch.ts';
import { hasManyTenants, loadLibrary, type ProviderServer, toFailure, toTenant } from './server.ts';

/** Who the provider says that the user is. */
export interface Identity {
  /** Name of the provider in the settings. */
  readonly provider: string;
  /** With `subject` the key of the user: names may change, and another provider may use the same subject. */
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** Whether the provider says that the e-mail belongs to the user. */
  readonly isVerified: boolean;
  readonly name: string | undefined;
}

export interface Exchange {
  /** Query of the callback. */
  readonly query: URLSearchParams;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly secret: string;
}

interface Parts {
  readonly context: Context;
  readonly provider: ProviderModel;
  readonly server: ProviderServer;
  readonly client: Client;
  readonly fetch: GuardedFetch;
}

type Library = Awaited<ReturnType<typeof loadLibrary>>;
type Facts = Readonly<Record<string, unknown>>;

/** Characters of a subject and an issuer that are stored. OpenID Connect Core 1.0 section 2 allows 255 of a subject. */
const MOST = 1024;

/** How this client authenticates: as the settings say, else as the provider declares. RFC 8414 section 2. */
function toClientAuth(library: Library, { provider, server }: Parts, secret: string): ClientAuth {
  const methods = server.metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const usual = !methods.includes('client_secret_basic') && methods.includes('client_secret_post') ? 'post' : 'basic';
  const way = provider.clientAuth ?? usual;
  return way === 'post' ? library.ClientSecretPost(secret) : library.ClientSecretBasic(secret);
}

const toOptions = (library: Library, { fetch, server }: Parts) => ({
  [library.customFetch]: fetch,
  [library.allowInsecureRequests]: isLoopbackHost(new URL(server.metadata.token_endpoint ?? '').hostname),
});

const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === 1;
const toText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= MOST ? value : undefined;
/** A name follows the rule of one-line fields, so that the sign-up is not refused for what its user did not type. */
const toName = (value: unknown): string | undefined => toOneLine(toText(value) ?? '') || undefined;

/** Claims of a token without verification; only to choose the issuer that the library then requires. */
function peek(token: unknown): Facts {
  try {
    const payload = String(token).split('.')[1] ?? '';
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Facts;
  } catch {
    return {};
  }
}

/** The metadata with the issuer that this answer's token must have. */
async function resolveIssuer(metadata: AuthorizationServer, response: Response): Promise<AuthorizationServer> {
  const body = (await response
    .clone()
    .json()
    .catch(() => ({}))) as Facts;
  return toTenant(metadata, peek(body.id_token).tid);
}

/** Claims of the verified ID token, with those of the userinfo endpoint if the token has no e-mail. */
async function readClaims(parts: Parts, { query, state, nonce, verifier, redirectUri, secret }: Exchange) {
  const library = await loadLibrary();
  const { server, client } = parts;
  const options = toOptions(library, parts);
  const checked = library.validateAuthResponse(server.metadata, client, query, state);
  const auth = toClientAuth(library, parts, secret);
  const { metadata } = server;
  const response = await library.authorizationCodeGrantRequest(
    metadata,
    client,
    auth,
    checked,
    redirectUri,
    verifier,
    options,
  );
  const expected = await resolveIssuer(metadata, response);
  const result = await library.processAuthorizationCodeResponse(expected, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  await library.validateApplicationLevelSignature(expected, response, { ...options, [library.jwksCache]: server.keys });
  const claims = library.getValidatedIdTokenClaims(result);
  if (!claims) throw toFailure('The provider sent no ID token.');
  if (claims.email !== undefined || metadata.userinfo_endpoint === undefined) return { ...claims };
  const userInfo = await library.userInfoRequest(expected, client, result.access_token, options);
  return { ...(await library.processUserInfoResponse(expected, client, claims.sub, userInfo)), ...claims };
}

async function readOpenId(parts: Parts, exchange: Exchange): Promise<Identity> {
  const { name: provider, isEmailTrusted } = parts.provider;
  const { iss, sub, email, email_verified, name } = (await readClaims(parts, exchange)) as Facts;
  const [issuer, subject] = [toText(iss), toText(sub)];
  if (issuer === undefined || subject === undefined) throw toFailure('The ID token names no user.');
  const isVerified = !hasManyTenants(parts.server.metadata) && (isTrue(email_verified) || isEmailTrusted);
  return { provider, issuer, subject, email: toText(email), isVerified, name: toName(name) };
}

async function readJson(library: Library, parts: Parts, token: string, url: string): Promise<unknown> {
  const headers = new Headers({ accept: 'application/json' });
  const response = await library.protectedResourceRequest(token, 'GET', new URL(url), headers, null, {
    ...toOptions(library, parts),
    [library.allowInsecureRequests]: isLoopbackHost(new URL(url).hostname),
  });
  if (response.status !== 200) throw toFailure(`${new URL(url).host} answered ${response.status}.`);
  return response.json();
}

const toRecord = (value: unknown): Facts => (typeof value === 'object' && value !== null ? (value as Facts) : {});

/** The user's main verified address of a list as GitHub has it, else the first verified one. */
function pickEmail(list: unknown): string | undefined {
  const verified = (Array.isArray(list) ? list.map(toRecord) : []).filter((entry) => isTrue(entry.verified));
  return toText((verified.find(({ primary }) => isTrue(primary)) ?? verified[0])?.email);
}

/** Reads the user of a provider without OpenID Connect from its own API. */
async function readOAuth(parts: Parts, exchange: Exchange): Promise<Identity> {
  const library = await loadLibrary();
  const { server, client, provider } = parts;
  const { metadata } = server;
  const options = toOptions(library, parts);
  const checked = library.validateAuthResponse(metadata, client, exchange.query, exchange.state);
  const response = await library.authorizationCodeGrantRequest(
    metadata,
    client,
    toClientAuth(library, parts, exchange.secret),
    checked,
    exchange.redirectUri,
    exchange.verifier,
    options,
  );
  const { access_token: token } = await library.processAuthorizationCodeResponse(metadata, client, response);
  const { endpoints, keys } = provider;
  const user = toRecord(await readJson(library, parts, token, endpoints?.user ?? ''));
  const id = keys.id === undefined ? (user.sub ?? user.id) : user[keys.id];
  const subject = typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : toText(id);
  if (subject === undefined) throw toFailure('The answer about the user has no id.');
  const listed =
    endpoints?.emails === undefined ? undefined : pickEmail(await readJson(library, parts, token, endpoints.emails));
  const isVerified = listed !== undefined || isTrue(user[keys.verified ?? 'email_verified']) || provider.isEmailTrusted;
  const email = listed ?? toText(user[keys.email ?? 'email']);
  const name = toName(user[keys.name ?? 'name']) ?? toName(user.login);
  return { provider: provider.name, issuer: metadata.issuer, subject, email, isVerified, name };
}

/**
 * Exchanges the code of a callback for what the provider says of the user.
 * @throws PROVIDER_FAILED, or an error of the library, if anything does not match: state, issuer, nonce, audience,
 *   time, signature.
 */
export async function readIdentity(
  context: Context,
  provider: ProviderModel,
  { server, exchange }: { readonly server: ProviderServer; readonly exchange: Exchange },
): Promise<Identity> {
  const library = await loadLibrary();
  // The tokens are judged by the site's clock.
  const skew = Math.round((context.services.clock.now() - Date.now()) / 1000);
  const client: Client = {
    client_id: provider.clientId,
    [library.clockSkew]: skew,
    [library.clockTolerance]: 30,
  };
  const parts = { context, provider, server, client, fetch: createGuardedFetch(context, provider) };
  return provider.issuer === undefined ? readOAuth(parts, exchange) : readOpenId(parts, exchange);
}
