import type { Row } from '../../../database/row-statement.ts';
import { type LoggedAttempt, toAttemptView, toDeliveryView, toPretty } from '../../../page/delivery-view.ts';
import { type Exchange, leadTo } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { takeSending } from '../delivery/send-limit.ts';
import { toAppPath } from './hook.ts';
import { emitFor, requireApp, showHookPage, toHookHead } from './page.ts';

/** One delivery with its payload and every attempt. */
export async function openDelivery(context: Context, exchange: Exchange): Promise<void> {
  const deliveryId = exchange.request.getParameters('delivery_id');
  const own = await requireApp(context, exchange);
  if (!own) return;
  const { app, owner } = own;
  const stage = { owner, app_id: app.app_id, delivery_id: deliveryId };
  const row = await emitFor(context, exchange, 'webhook-delivery-detail', stage);
  if (exchange.response.isError()) return;
  const attempts = (row.attempt ?? []) as LoggedAttempt[];
  const payload = typeof row.payload === 'string' ? row.payload : undefined;
  showHookPage(context, exchange, {
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

export async function postDelivery(context: Context, exchange: Exchange): Promise<void> {
  const deliveryId = exchange.request.getParameters('delivery_id');
  const own = await requireApp(context, exchange);
  if (!own) return;
  const { app, owner } = own;
  if (!takeSending(context, exchange, { owner, kind: 'one', path: toAppPath(app) })) return;
  const stage: Row = { owner, app_id: app.app_id, delivery_id: deliveryId };
  await emitFor(context, exchange, 'webhook-delivery-replay', stage);
  if (exchange.response.getStatus() === 404) return;
  leadTo(exchange, `${toAppPath(app)}/${String(deliveryId)}`, 'It is sent again, with the same id.');
}
