import type { AuthorizationServer, JWKSCacheInput } from 'oauth4webapi';
import { BoundedMap } from '../../../core/bounded-map.ts';
import { TreadleError } from '../../../core/errors.ts';
import { isLoopbackHost } from '../../../core/text/host.ts';
import type { ProviderModel } from '../../../model/provider.ts';
import { createGuardedFetch, type FetchContext } from './fetch.ts';

/** The protocol library, loaded when the first person signs in by a provider. */
export const loadLibrary = (): Promise<typeof import('oauth4webapi')> => import('oauth4webapi');

/** Endpoints and keys of a provider. */
export interface ProviderServer {
  readonly metadata: AuthorizationServer;
  /** Filled by the library, which reads the keys again if a signature names an unknown one. */
  readonly keys: JWKSCacheInput;
}

interface CachedServer {
  /** Milliseconds since 1970. */
  readonly readAt: number;
  readonly server: ProviderServer;
}

interface Entry {
  known: CachedServer | undefined;
  reading: Promise<ProviderServer> | undefined;
}

const FRESH_MS = 3_600_000;
/** If the provider does not answer, its last document is used so long. */
const STALE_MS = 24 * 3_600_000;
const MOST_PROVIDERS = 100;

const createEntries = (): BoundedMap<Entry> => new BoundedMap(MOST_PROVIDERS);

/** Issuer of Microsoft's accounts of all organizations: each token names its own tenant instead. */
const MANY_TENANTS = /^https:\/\/login\.microsoftonline\.com\/(common|organizations)\/v2\.0\/?$/;
const TENANT = '{tenantid}';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * True if the provider's tokens name an issuer for each organization. An organization writes what it wants into the e-mail
 * of its users.
 */
export const hasManyTenants = ({ issuer }: AuthorizationServer): boolean => issuer.includes(TENANT);

/**
 * The metadata for one token: its issuer must be the one that the template gives for the token's tenant. The claim is
 * not verified here; the library then compares the issuer and verifies the signature.
 */
export function toTenant(metadata: AuthorizationServer, tenant: unknown): AuthorizationServer {
  if (!hasManyTenants(metadata)) return metadata;
  if (typeof tenant !== 'string' || !UUID.test(tenant)) throw new TreadleError('PROVIDER_FAILED', 'no tenant');
  return { ...metadata, issuer: metadata.issuer.replace(TENANT, tenant.toLowerCase()) };
}

function isSafeEndpoint(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

/** A provider that does not do as the standard says. */
export function toFailure(message: string): TreadleError {
  return new TreadleError('PROVIDER_FAILED', message, { status: 502 });
}

/**
 * Reads the discovery document of an OpenID Connect issuer.
 * @see OpenID Connect Discovery 1.0 section 4
 */
async function discover(context: FetchContext, provider: ProviderModel, issuer: string) {
  const library = await loadLibrary();
  const url = new URL(issuer);
  const response = await library.discoveryRequest(url, {
    [library.customFetch]: createGuardedFetch(context, provider),
    [library.allowInsecureRequests]: isLoopbackHost(url.hostname),
  });
  const metadata = MANY_TENANTS.test(issuer)
    ? ((await response.json()) as AuthorizationServer)
    : await library.processDiscoveryResponse(url, response);
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    if (!isSafeEndpoint(metadata[name])) throw toFailure(`The discovery document of ${issuer} has no https "${name}".`);
  }
  return metadata;
}

const toOAuthMetadata = ({ endpoints }: ProviderModel): AuthorizationServer => ({
  // Without OpenID Connect no answer names an issuer. The host that says who the user is identifies the provider.
  issuer: new URL(endpoints?.user ?? '').origin,
  authorization_endpoint: endpoints?.authorize ?? '',
  token_endpoint: endpoints?.token ?? '',
});

/**
 * Endpoints and keys of a provider: read once an hour, and by one request at a time.
 * @throws PROVIDER_FAILED, OUTBOUND_FAILED, OUTBOUND_ADDRESS_REFUSED if the provider cannot be read.
 */
export async function findServer(context: FetchContext, provider: ProviderModel): Promise<ProviderServer> {
  const { issuer } = provider;
  if (issuer === undefined) return { metadata: toOAuthMetadata(provider), keys: {} };
  const { clock } = context.services;
  const entry = context.services.memory
    .get(createEntries)
    .getOrCreate(issuer, () => ({ known: undefined, reading: undefined }));
  const { known } = entry;
  if (known !== undefined && clock.now() - known.readAt < FRESH_MS) return known.server;
  entry.reading ??= discover(context, provider, issuer)
    .then((metadata) => {
      const server = { metadata, keys: {} };
      entry.known = { readAt: clock.now(), server };
      return server;
    })
    .finally(() => {
      entry.reading = undefined;
    });
  try {
    return await entry.reading;
  } catch (error) {
    if (known !== undefined && clock.now() - known.readAt < STALE_MS) return known.server;
    throw error;
  }
}
