import { isAddress, isLoopbackHost } from '../../../../core/text/host.ts';
import type { Services } from '../../../../plan/feature.ts';

/** The site as passkeys know it. */
export interface RelyingParty {
  /** Host name that passkeys belong to. */
  readonly id: string;
  /** Origin of the pages that may use them. */
  readonly origin: string;
}

/**
 * The relying party, from the public address and never from a request. An IP address can be none: a server on this machine
 * is `localhost` then, any other has no passkeys.
 * @see https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export function findRelyingParty({ baseUrl }: Pick<Services, 'baseUrl'>): RelyingParty | undefined {
  const url = new URL(baseUrl());
  if (isAddress(url.hostname) && isLoopbackHost(url.hostname)) url.hostname = 'localhost';
  const isTrusted = url.protocol === 'https:' || isLoopbackHost(url.hostname);
  return isAddress(url.hostname) || !isTrusted ? undefined : { id: url.hostname, origin: url.origin };
}
