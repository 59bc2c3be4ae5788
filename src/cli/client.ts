import { systemRandom } from '../core/clock.ts';
import { createToken, digest } from '../core/secret.ts';
import type { App } from '../model/shape.ts';
import type { Invocation } from './spec.ts';

/** 128 bits: a client id is no secret, but no two may meet. */
const CLIENT_ID_BYTES = 16;
/** A letter first: one that began with "-" would read as a flag on a command line. */
const CLIENT_ID_PREFIX = 'app_';

export interface Client {
  readonly clientId: string;
  /** Shown once; the definition has its hash. Null for an app that cannot keep one. */
  readonly clientSecret: string | null;
  readonly keys: Pick<App, 'clientId' | 'secretHash'>;
}

/** A client id, and for an app that can keep it a secret. */
export function createClient(isPublic: boolean, clientId = createClientId()): Client {
  const clientSecret = isPublic ? null : createToken(systemRandom, 'tk_cs_');
  const keys = { clientId, ...(clientSecret === null ? {} : { secretHash: `sha256:${digest(clientSecret)}` }) };
  return { clientId, clientSecret, keys };
}

const createClientId = (): string => createToken(systemRandom, CLIENT_ID_PREFIX, CLIENT_ID_BYTES);

/** What a command tells of a new client, once; nothing of a dry run, which keeps none. */
export function tellClient(
  { isDryRun }: Invocation,
  client: Client | undefined,
): { readonly data: object; readonly lines: readonly string[] } {
  if (client === undefined || isDryRun) return { data: {}, lines: [] };
  const { clientId, clientSecret } = client;
  const secret = clientSecret === null ? [] : [`client secret  ${clientSecret}   (shown only once)`];
  return { data: { clientId, clientSecret }, lines: [`client id      ${clientId}`, ...secret] };
}
