import { systemRandom } from '../core/clock.ts';
import { createToken, digest } from '../core/secret.ts';
import type { App } from '../model/shape.ts';
import type { Invocation } from './spec.ts';

/** 128 bits: a client id is not secret, but must be unique. */
const CLIENT_ID_BYTES = 16;
/** A letter first, because an id that starts with "-" would look like a flag. */
const CLIENT_ID_PREFIX = 'app_';

export interface Client {
  readonly clientId: string;
  /** Shown once; the definition has its hash. Null for a public app. */
  readonly clientSecret: string | null;
  readonly keys: Pick<App, 'clientId' | 'secretHash'>;
}

/** A client id and, unless the app is public, a secret. */
export function createClient(isPublic: boolean, clientId = createClientId()): Client {
  const clientSecret = isPublic ? null : createToken(systemRandom, 'tk_cs_');
  const keys = { clientId, ...(clientSecret === null ? {} : { secretHash: `sha256:${digest(clientSecret)}` }) };
  return { clientId, clientSecret, keys };
}

const createClientId = (): string => createToken(systemRandom, CLIENT_ID_PREFIX, CLIENT_ID_BYTES);

/** Prints a new client, once; nothing for a dry run, which stores none. */
export function tellClient(
  { isDryRun }: Invocation,
  client: Client | undefined,
): { readonly data: object; readonly lines: readonly string[] } {
  if (client === undefined || isDryRun) return { data: {}, lines: [] };
  const { clientId, clientSecret } = client;
  const secret = clientSecret === null ? [] : [`client secret  ${clientSecret}   (shown only once)`];
  return { data: { clientId, clientSecret }, lines: [`client id      ${clientId}`, ...secret] };
}
