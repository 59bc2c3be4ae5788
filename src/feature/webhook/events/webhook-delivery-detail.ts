import { sql } from 'kysely';
import * as z from 'zod';
import type { Row } from '../../../database/row-statement.ts';
import type { LoggedAttempt } from '../../../page/delivery-view.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { optionalId, optionalLookupId, text } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
import { toWhere } from '../../../plan/table/table.ts';
import { findDeliveryTests } from '../delivery/deliveries.ts';
import { findAttempts } from '../delivery/log-sql.ts';
import { NO_DELIVERY } from '../errors.ts';
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
async function isWithheld(context: Context, row: DeliveryFacts): Promise<boolean> {
  if (Number(row.attempts) > 0) return false;
  const { hooks } = context.plan;
  const hook =
    hooks.find(({ name }) => name === row.hook) ?? hooks.find((other) => toIdentity(other, hooks) === row.hook);
  return hook === undefined || (await findReceiver(context, hook, row)) === undefined;
}

export const webhookDeliveryDetail = defineEvent({
  name: 'webhook-delivery-detail',
  description: 'Finds one delivery with its request, every attempt and the responses.',
  kind: 'reads',
  stage: () =>
    z.object({
      delivery_id: optionalId('The delivery.'),
      owner: optionalLookupId('Only a delivery to an app of this account (`auth_id`).'),
      app_id: text('Only a delivery to this app.'),
    }),
  results: () =>
    z
      .looseObject({ format: z.string(), payload: z.string().nullable(), attempt: z.array(z.custom<LoggedAttempt>()) })
      .describe(
        'The delivery with `type`, `sequence`, `format`, `payload` (the exact text that is signed; null for an owner if it will never be sent), and the list `attempt` with request headers, status, response headers, up to 20 kB of body, milliseconds and error.',
      ),
  async run(stage, context) {
    if (stage.delivery_id === undefined) return reject(NO_DELIVERY);
    const tests = await findDeliveryTests(context, stage);
    const { rows } =
      await sql<DeliveryFacts>`select d.*, e.type, e.sequence, e.data, e.format, e.source, e.profile_id, e.created_at as event_at
      from treadle_delivery d join treadle_event e on e.event_id = d.event_id
      ${toWhere(tests)} limit 1`.execute(context.services.database.kysely);
    const [row] = rows;
    if (!row) return reject(NO_DELIVERY);
    const { data: _data, source: _source, profile_id: _profile, ...shown } = row;
    const isHidden = stage.owner !== undefined && (await isWithheld(context, row));
    const attempt = await findAttempts(context, Number(row.delivery_id));
    return { ...shown, format: row.format ?? 'standard', payload: isHidden ? null : toMessage(row).body, attempt };
  },
});
