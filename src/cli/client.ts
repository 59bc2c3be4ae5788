import type { Client } from '../edit/client.ts';
import type { Invocation } from './spec.ts';

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
