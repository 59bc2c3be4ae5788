import { sql } from 'kysely';
import type { Request } from '../../../core/request/request.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { parseFilter, toWhere } from '../delivery/delivery-filter.ts';
import { findAttempts } from '../delivery/log-sql.ts';
import { isRefusal, NO_DELIVERY } from '../errors.ts';
import { type EventFacts, toMessage } from '../message.ts';
import { toIdentity } from '../receiver/identity.ts';
import { findReceiver } from '../receiver/receiver.ts';

interface DeliveryFacts extends Row, EventFacts {
  readonly hook: string;
  readonly attempts: number;
  readonly client_id: string | null;
  readonly profile_id: number | null;
}

/**
 * Whether to hide a delivery's content from the app's owner: it was never sent and would not be sent now,
 * for example because an approval or consent ended.
 */
async function isWithheld(context: Context, request: Request, row: DeliveryFacts): Promise<boolean> {
  if (!request.hasStage('owner') || Number(row.attempts) > 0) return false;
  const { hooks } = context.plan;
  const hook =
    hooks.find(({ name }) => name === row.hook) ?? hooks.find((other) => toIdentity(other, hooks) === row.hook);
  return hook === undefined || (await findReceiver(context, hook, row)) === undefined;
}

export const webhookDeliveryDetail = (): EventContribution => ({
  name: 'webhook-delivery-detail',
  description: 'Finds one delivery with its request, every attempt and the responses.',
  stage: {
    delivery_id: 'The delivery.',
    owner: 'Only a delivery to an app of this account (`auth_id`).',
    app_id: 'Only a delivery to this app.',
  },
  results:
    'The delivery with `type`, `sequence`, `format`, `payload` (the exact text that is signed; null for an owner if it will never be sent), and the list `attempt` with request headers, status, response headers, up to 20 kB of body, milliseconds and error.',
  kind: 'reads',
  listen: (context) => async (request, response) => {
    const tests = await parseFilter(context, request);
    if (isRefusal(tests)) return response.refuse(tests);
    if (!request.hasStage('delivery_id')) return response.refuse(NO_DELIVERY);
    const { rows } =
      await sql<DeliveryFacts>`select d.*, e.type, e.sequence, e.data, e.format, e.source, e.profile_id, e.created_at as event_at
      from treadle_delivery d join treadle_event e on e.event_id = d.event_id
      ${toWhere(tests)} limit 1`.execute(context.services.database.kysely);
    const [row] = rows;
    if (!row) return response.refuse(NO_DELIVERY);
    const { data: _data, source: _source, profile_id: _profile, ...shown } = row;
    const payload = (await isWithheld(context, request, row)) ? null : toMessage(row).body;
    const attempt = await findAttempts(context, Number(row.delivery_id));
    response.setError(false).setResults({ ...shown, format: row.format ?? 'standard', payload, attempt });
  },
});
