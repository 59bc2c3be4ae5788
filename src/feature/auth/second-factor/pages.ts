import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { toLocalPath } from '../../../core/text/local-path.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { SECOND_FACTOR, showAccountPage } from '../page.ts';
import { findRelyingParty } from './passkey/relying-party.ts';

/** The path that a page of second factors leads to in the end; empty: back to the overview. */
export const findTarget = ({ request }: Exchange): string =>
  toLocalPath(request.getPost('redirect_uri') ?? request.getGet('redirect_uri'), '');

/** The second factors of an account, as `auth-second-factor-search` lists them. */
export async function readFactors(context: Context, authId: number): Promise<Row> {
  const request = new Request().setStage({ auth_id: authId });
  const response = new Response(request);
  await context.emit('auth-second-factor-search', request, response);
  return (response.getResults() ?? {}) as Row;
}

/**
 * What a page must know to offer passkeys. A server on this machine is often opened by its address, where a browser refuses
 * them. Elsewhere the `Host` is not asked: a proxy may have changed it.
 */
export function toPasskeyData({ services }: Context, { request }: Exchange): Row {
  const party = findRelyingParty(services);
  const host = String(request.getServer('host') ?? '');
  if (!party) return { hasPasskeys: false, passkeyOrigin: undefined };
  const isHere = party.id !== 'localhost' || host === '' || new URL(party.origin).host === host;
  return { hasPasskeys: isHere, passkeyOrigin: isHere ? undefined : party.origin };
}

/** Shows recovery codes: this once, because only hashes are stored. */
export function showCodes(context: Context, exchange: Exchange, codes: readonly string[], done: string): Promise<void> {
  const target = findTarget(exchange);
  const data = { codes, text: codes.join('\n'), done, next: target === '' ? SECOND_FACTOR : target };
  exchange.response.removeResults();
  return showAccountPage(context, exchange, { name: 'second-factor-codes', title: 'Recovery codes', data });
}
