import type { Request } from '../../../core/request.ts';
import type { Row } from '../../../database/database.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';

const LIMIT = 50;
const MAX_LIMIT = 100;
/** Stage keys that are columns of a delivery, compared as they stand. */
const COLUMNS = ['hook', 'state', 'event_id', 'client_id', 'delivery_id'] as const;

function toLimit(value: unknown): number {
  const limit = Number(value ?? LIMIT);
  return Number.isSafeInteger(limit) && limit > 0 ? Math.min(limit, MAX_LIMIT) : LIMIT;
}

async function searchDeliveries(context: Context, request: Request): Promise<Row[]> {
  let query = context.services.database.kysely
    .selectFrom('treadle_delivery as d')
    .innerJoin('treadle_event as e', 'e.event_id', 'd.event_id')
    .selectAll('d')
    .select(['e.type', 'e.sequence'])
    .orderBy('d.delivery_id', 'desc')
    .limit(toLimit(request.getStage('limit')));
  for (const column of COLUMNS) {
    const value = request.getStage(column);
    if (value !== undefined && value !== null && value !== '') query = query.where(`d.${column}`, '=', value);
  }
  const before = request.getStage('before');
  if (before !== undefined) query = query.where('d.delivery_id', '<', Number(before));
  return query.execute();
}

async function addAttempts(context: Context, rows: Row[]): Promise<Row[]> {
  const attempts = await context.services.database.kysely
    .selectFrom('treadle_attempt')
    .selectAll()
    .where('delivery_id', 'in', rows.map((row) => row.delivery_id).slice(0, 1))
    .orderBy('number')
    .execute();
  return rows.map((row) => ({ ...row, attempt: attempts }));
}

export const webhookDeliverySearch = (): EventContribution => ({
  event: 'webhook-delivery-search',
  description: 'The log of what was sent to receivers in the last 30 days, newest first.',
  stage: {
    hook: 'Name of the web hook.',
    state: '`pending`, `delivered`, `failed` or `disabled`.',
    event_id: 'Id of the event (`msg_…`).',
    client_id: 'Client id of the receiving app.',
    delivery_id: 'One delivery; its row then has its attempts as the list `attempt`.',
    before: 'Only deliveries with a lower id: the next page.',
    limit: 'Rows, 50 by default, at most 100.',
  },
  results: '`rows`: deliveries with `type` and `sequence` of their event; times are unix seconds.',
  listen: (context) => async (request, response) => {
    const rows = await searchDeliveries(context, request);
    const isOne = request.hasStage('delivery_id') && rows.length > 0;
    response.setError(false).setResults({ rows: isOne ? await addAttempts(context, rows) : rows });
  },
});
