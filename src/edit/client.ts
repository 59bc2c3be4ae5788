import type { Random } from '../core/clock.ts';
import { createToken, digest } from '../core/secret/secret.ts';
import type { App } from '../model/shape.ts';

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
export function createClient(random: Random, isPublic: boolean, clientId = createClientId(random)): Client {
  const clientSecret = isPublic ? null : createToken(random, 'tk_cs_');
  const keys = { clientId, ...(clientSecret === null ? {} : { secretHash: `sha256:${digest(clientSecret)}` }) };
  return { clientId, clientSecret, keys };
}

const createClientId = (random: Random): string => createToken(random, CLIENT_ID_PREFIX, CLIENT_ID_BYTES);
