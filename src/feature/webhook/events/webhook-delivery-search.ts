import { sql } from 'kysely';
import { PAGE_LIMIT_ERROR, readPageLimit } from '../../../core/text/page-limit.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { type DeliveryTests, FILTER_STAGE, parseFilter, toWhere } from '../delivery/delivery-filter.ts';
import { findAttempts } from '../delivery/log-sql.ts';
import { createRefusal, isRefusal } from '../errors.ts';

async function searchDeliveries(context: Context, tests: DeliveryTests, limit: number): Promise<Row[]> {
  const { rows } = await sql<Row>`select d.*, e.type, e.sequence
    from treadle_delivery d join treadle_event e on e.event_id = d.event_id
    ${toWhere(tests)} order by d.delivery_id desc limit ${limit}`.execute(context.services.database.kysely);
  return rows;
}

export const webhookDeliverySearch = (): EventContribution => ({
  name: 'webhook-delivery-search',
  description: 'Lists the deliveries of the last 30 days, newest first.',
  stage: {
    ...FILTER_STAGE,
    state: '`pending`, `delivered`, `failed` or `disabled`; separate several by commas.',
    delivery_id: 'One delivery; its row then has the list `attempt`.',
    before: 'Only deliveries with a lower id: the next page.',
    after: 'Only deliveries with a higher id.',
    limit: 'At most, 1 to 100. Default 50.',
  },
  results:
    '`rows`: deliveries with `type` and `sequence` of their event, times in unix seconds; `next`: the `before` of the next page, or null.',
  kind: 'reads',
  listen: (context) => async (request, response) => {
    const tests = await parseFilter(context, request);
    if (isRefusal(tests)) return response.refuse(tests);
    const limit = readPageLimit(request.getStage('limit'));
    if (limit === undefined) return response.refuse(createRefusal('limit', PAGE_LIMIT_ERROR));
    const found = await searchDeliveries(context, tests, limit + 1);
    const rows = found.slice(0, limit);
    const next = found.length > limit ? Number(rows.at(-1)?.delivery_id) : null;
    const [row] = rows;
    const isOne = request.hasStage('delivery_id') && row !== undefined;
    const shown = isOne ? [{ ...row, attempt: await findAttempts(context, Number(row.delivery_id)) }] : rows;
    response.setError(false).setResults({ rows: shown, next });
  },
});
