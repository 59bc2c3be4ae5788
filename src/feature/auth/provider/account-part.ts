import { isProven } from '../../../access/proof.ts';
import type { Row } from '../../../database/row-statement.ts';
import { type Exchange, findMe } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { findAuth, hasPassword } from '../sql.ts';
import { listButtons } from './buttons.ts';
import { listLinks } from './sql.ts';
import { countWaysIn } from './ways-in.ts';

/**
 * What the page of an account shows of its password and its providers.
 * @param target Where a sign-in goes afterwards. Default: the page itself.
 */
export async function toWaysIn(
  context: Context,
  { request }: Exchange,
  target = request.getPath('string'),
): Promise<Row> {
  const { database } = context.services;
  const authId = findMe(request);
  const auth = authId === undefined ? undefined : await findAuth(database, 'auth_id', authId);
  if (!auth) return { hasPassword: true };
  const links = await listLinks(database, auth.auth_id);
  const buttons = listButtons(context, target);
  const labels = new Map(buttons.map(({ name, label }) => [name, label]));
  const own = links.map((link) => ({
    link_id: link.link_id,
    label: labels.get(link.provider) ?? link.provider,
    email: link.email,
    isLast:
      countWaysIn(
        context,
        auth,
        links.filter((other) => other !== link),
      ) === 0,
  }));
  const linked = new Set(links.map(({ provider }) => provider));
  const isProved = hasPassword(auth) || isProven(context.services, request);
  return {
    hasPassword: hasPassword(auth),
    isProved,
    links: own,
    more: buttons.filter(({ name }) => !linked.has(String(name))),
    again: buttons.filter(({ name }) => linked.has(String(name))),
    hasProviders: buttons.length > 0 || links.length > 0,
  };
}
