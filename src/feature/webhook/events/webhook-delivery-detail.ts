import { sql } from 'kysely';
import type { Row } from '../../../database/database.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { toBody } from '../deliver.ts';
import { parseFilter, toWhere } from '../delivery-filter.ts';
import { isRefusal, NO_DELIVERY, refuse } from '../errors.ts';
import { findAttempts } from '../log-sql.ts';

export const webhookDeliveryDetail = (): EventContribution => ({
  event: 'webhook-delivery-detail',
  description: 'One delivery with what was sent, every attempt and what came back.',
  stage: {
    delivery_id: 'The delivery.',
    owner: 'Only one to an app of this account (`auth_id`).',
    app_id: 'Only one to this app.',
  },
  results:
    'The delivery with `type`, `sequence`, `payload` (the exact text that is signed), and the list `attempt` with request head, status, response head, up to 20 kB of body, milliseconds and error.',
  listen: (context) => async (request, response) => {
    const tests = await parseFilter(context, request);
    if (isRefusal(tests)) return refuse(response, tests);
    if (!request.hasStage('delivery_id')) return refuse(response, NO_DELIVERY);
    const { rows } = await sql<Row>`select d.*, e.type, e.sequence, e.data, e.created_at as event_at
      from treadle_delivery d join treadle_event e on e.event_id = d.event_id
      ${toWhere(tests)} limit 1`.execute(context.services.database.kysely);
    const [row] = rows;
    if (!row) return refuse(response, NO_DELIVERY);
    const { data, ...shown } = row;
    const payload = toBody({ type: String(row.type), data: String(data), event_at: Number(row.event_at) });
    const attempt = await findAttempts(context, Number(row.delivery_id));
    response.setError(false).setResults({ ...shown, payload, attempt });
  },
});
