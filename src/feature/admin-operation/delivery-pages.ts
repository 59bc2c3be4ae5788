import { toLocalText, translate } from '../../core/text/translate.ts';
import type { Row } from '../../database/row-statement.ts';
import {
  type LoggedAttempt,
  toAttemptView,
  toDeliveryBadge,
  toDeliveryView,
  toPretty,
  toReceiverView,
  toSkippedText,
} from '../../page/delivery-view.ts';
import { readList, readResults } from '../../page/emit-event.ts';
import { createRoute, type Exchange } from '../../page/exchange.ts';
import { showPage } from '../../page/frame.ts';
import { emitAndLead, readText } from '../../page/list-page.ts';
import { type Cell, renderOwnList } from '../../page/own-list.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';

const BASE = '/admin/delivery';
const SEARCH = `${BASE}/search`;
/** What the list is filtered by, but for the state: so much is sent again. */
const NARROWING = ['hook', 'client_id', 'url', 'type', 'event_id', 'since', 'until'] as const;

/** Receivers to which nothing gets through. */
async function readTroubled(context: Context): Promise<Row[]> {
  const lists = await Promise.all(
    ['disabled', 'failing'].map((state) => readList(context, 'webhook-receiver-search', { state })),
  );
  return lists.flatMap(({ rows }) => rows.map((row) => ({ ...toReceiverView(row), clientId: row.client_id })));
}

/** The last answer, or why there was none. */
function toAnswer({ status, error }: Row): Cell {
  if (status !== undefined && status !== null) return { text: status };
  return error ? { hint: error } : { empty: translate('None yet') };
}

async function showDeliveries(context: Context, exchange: Exchange): Promise<void> {
  const title = translate('Deliveries');
  const hooks = context.plan.hooks.map(({ name, definition }) => ({ key: name, value: toLocalText(definition.title) }));
  const list = await renderOwnList(context, exchange, {
    table: 'webhook-delivery',
    path: SEARCH,
    title,
    options: { hook: hooks },
    cells: {
      type(row) {
        const { id, type, eventId, isTrial, clientId, url } = toDeliveryView(row);
        const hint = clientId ? `${clientId} · ${url}` : url;
        const mark = isTrial ? translate('Test') : undefined;
        return { text: type, hidden: eventId, href: `${BASE}/detail/${id}`, mark, hint };
      },
      state: (row) => ({ badge: toDeliveryBadge(row) }),
      status: (row) => toAnswer(toDeliveryView(row)),
    },
    action: ({ delivery_id: id, state, type, event_id: eventId }) => ({
      path: `${BASE}/replay/${id}`,
      label: state === 'pending' ? translate('Send now') : translate('Send again'),
      row: `${type} ${eventId}`,
    }),
    empty: [translate('No web hook was sent in the last 30 days.'), translate('No delivery matches.')],
  });
  if (list === undefined) return;
  showPage(context, exchange, {
    frame: 'admin',
    title,
    template: 'admin/run/delivery-search',
    data: {
      list: list.html,
      receivers: await readTroubled(context),
      hasRows: list.rows.length > 0,
      filter: list.filter,
      canReplay: NARROWING.some((name) => name in list.filter),
    },
  });
}

async function showDelivery(context: Context, exchange: Exchange): Promise<void> {
  const row = await readResults(context, 'webhook-delivery-detail', {
    delivery_id: exchange.request.getParameters('delivery_id'),
  });
  // Without a page the answer is 404.
  if (row === undefined) return;
  const payload = typeof row.payload === 'string' ? row.payload : undefined;
  showPage(context, exchange, {
    frame: 'admin',
    title: String(row.type),
    template: 'admin/run/delivery-detail',
    crumbs: [{ label: translate('Deliveries'), path: SEARCH }],
    data: {
      delivery: toDeliveryView(row),
      payload: payload === undefined ? undefined : toPretty(payload),
      attempts: ((row.attempt ?? []) as LoggedAttempt[]).map(toAttemptView).reverse(),
    },
  });
}

const toSent = (results: Row): string =>
  `${translate('Deliveries that are sent again: {count}.', { count: Number(results.count ?? 0) })}${toSkippedText(results)}`;

const EVENT = 'webhook-delivery-replay';

/** Sends one delivery again, in whatever state. */
function replayOne(context: Context, exchange: Exchange): Promise<void> {
  const id = String(exchange.request.getParameters('delivery_id'));
  const done = (): string => translate('It is sent again, with the same id.');
  return emitAndLead(context, exchange, {
    event: EVENT,
    stage: { delivery_id: id },
    path: `${BASE}/detail/${id}`,
    done,
  });
}

/** Sends what failed again, of everything that the filter selects. */
function replayMany(context: Context, exchange: Exchange): Promise<void> {
  const read = (name: string): readonly [string, string] => [name, readText(exchange.request.getPost(name))];
  const filter = Object.fromEntries(NARROWING.map(read));
  const isNarrowed = NARROWING.some((name) => (filter[name] ?? '') !== '');
  // A state of the list's filter says what is shown, not what failed.
  const failed = { ...filter, state: 'failed,disabled' };
  // The event asks for something that narrows: from the beginning of time is everything.
  const stage = isNarrowed ? failed : { ...failed, since: '0' };
  return emitAndLead(context, exchange, { event: EVENT, stage, path: SEARCH, done: toSent });
}

function changeReceiver(context: Context, exchange: Exchange): Promise<void> {
  const { request } = exchange;
  const receiver = readText(request.getPost('receiver'));
  if (request.getPost('action') === 'disable') {
    const stage = { receiver, reason: translate('Disabled by an administrator.') };
    const done = (): string => translate('Disabled. What happens now is kept for 30 days.');
    return emitAndLead(context, exchange, { event: 'webhook-receiver-disable', stage, path: SEARCH, done });
  }
  const stage = { receiver, catch_up: readText(request.getPost('catch_up')) };
  return emitAndLead(context, exchange, { event: 'webhook-receiver-enable', stage, path: SEARCH, done: toSent });
}

/** Pages of the deliveries of all web hooks. */
export const deliveryRoutes: readonly RouteContribution[] = [
  createRoute('GET', SEARCH, 'Lists the deliveries of all web hooks in the admin section.', showDeliveries),
  createRoute('GET', `${BASE}/detail/:delivery_id`, 'Shows a delivery with its attempts.', showDelivery),
  createRoute('POST', `${BASE}/replay`, 'Sends the failed deliveries of a filter again.', replayMany),
  createRoute('POST', `${BASE}/replay/:delivery_id`, 'Sends a delivery again.', replayOne),
  createRoute('POST', `${BASE}/receiver`, 'Enables or disables a receiver.', changeReceiver),
];
