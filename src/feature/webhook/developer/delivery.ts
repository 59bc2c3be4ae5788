import type { Row } from '../../../database/row-statement.ts';
import { type LoggedAttempt, toAttemptView, toDeliveryView, toPretty } from '../../../page/delivery-view.ts';
import type { Pair } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { takeSending } from '../delivery/send-limit.ts';
import { toAppPath } from './hook.ts';
import { emitFor, leadTo, requireApp, showPage, toHookHead } from './page.ts';

/** One delivery with its payload and every attempt. */
export async function openDelivery(context: Context, pair: Pair): Promise<void> {
  const deliveryId = pair.request.getParameters('delivery_id');
  const own = await requireApp(context, pair);
  if (!own) return;
  const { app, owner } = own;
  const stage = { owner, app_id: app.app_id, delivery_id: deliveryId };
  const row = await emitFor(context, pair, 'webhook-delivery-detail', stage);
  if (pair.response.isError()) return;
  const attempts = (row.attempt ?? []) as LoggedAttempt[];
  const payload = typeof row.payload === 'string' ? row.payload : undefined;
  showPage(context, pair, {
    name: 'delivery',
    title: `${String(row.type)} · ${app.title}`,
    data: {
      head: toHookHead(app),
      back: toAppPath(app),
      delivery: toDeliveryView(row),
      payload: payload === undefined ? undefined : toPretty(payload),
      bytes: payload === undefined ? 0 : Buffer.byteLength(payload),
      attempts: attempts.map(toAttemptView).reverse(),
    },
  });
}

export async function postDelivery(context: Context, pair: Pair): Promise<void> {
  const deliveryId = pair.request.getParameters('delivery_id');
  const own = await requireApp(context, pair);
  if (!own) return;
  const { app, owner } = own;
  if (!takeSending(context, pair, { owner, kind: 'one', path: toAppPath(app) })) return;
  const stage: Row = { owner, app_id: app.app_id, delivery_id: deliveryId };
  await emitFor(context, pair, 'webhook-delivery-replay', stage);
  if (pair.response.getStatus() === 404) return;
  leadTo(pair, `${toAppPath(app)}/${String(deliveryId)}`, 'It is sent again, with the same id.');
}
