import { sql } from 'kysely';
import { secondsToStamp } from '../../../core/clock.ts';
import { deriveWebhookSecret, signWebhook } from '../../../core/secret/webhook-secret.ts';
import { toBasePath } from '../../../core/text/base-path.ts';
import { putBasePathInHtml } from '../../../core/text/html-address.ts';
import { toLocalText } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { type HookMessage, toFormatLabel } from '../../../model/hook-message.ts';
import { toDeliveryView, toPretty, toSkippedText } from '../../../page/delivery-view.ts';
import { type Exchange, leadTo } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { isLocalRequest } from '../../../plan/local-request.ts';
import { emitFor, showHookPage } from '../developer/page.ts';
import { type EventFacts, toMessage } from '../message.ts';
import { isTrial } from '../trial.ts';

export const INBOX = '/developer/webhooks/inbox';
/** Number of events that the inbox shows. */
const SHOWN = 30;
/** Characters of a payload that it shows; the log has the rest. */
const PAYLOAD_LENGTH = 20_000;

interface EventRow extends EventFacts {
  readonly hook: string;
}

/** The newest events of all hooks, including those without receivers. */
async function findEvents({ services }: Context): Promise<EventRow[]> {
  const { rows } =
    await sql<EventRow>`select sequence, event_id, hook, type, data, format, source, created_at as event_at
    from treadle_event order by sequence desc limit ${SHOWN}`.execute(services.database.kysely);
  return rows;
}

/** Deliveries of events, each with the request headers of its last attempt. */
async function findDeliveries({ services }: Context, ids: readonly string[]): Promise<Map<string, Row[]>> {
  const found = new Map<string, Row[]>();
  if (ids.length === 0) return found;
  const { rows } = await sql<Row>`select d.*, a.request_head, a.milliseconds
    from treadle_delivery d
    left join treadle_attempt a on a.delivery_id = d.delivery_id and a.number = d.attempts
    where d.event_id in (${sql.join(ids)}) order by d.delivery_id`.execute(services.database.kysely);
  for (const row of rows) {
    const id = String(row.event_id);
    found.set(id, [...(found.get(id) ?? []), row]);
  }
  return found;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The request headers for an event, signed with the hook's own secret. */
function signHeaders(
  { services, plan }: Context,
  event: EventRow,
  { headers, body }: HookMessage,
): Record<string, string> {
  const seconds = Number(event.event_at);
  const { secretName = event.hook, secretVersion = 1 } =
    plan.hooks.find(({ name }) => name === event.hook)?.definition ?? {};
  const secret = deriveWebhookSecret(services.secret, secretName, undefined, secretVersion);
  return {
    ...headers,
    'webhook-id': event.event_id,
    'webhook-timestamp': String(seconds),
    'webhook-sequence': String(event.sequence),
    'webhook-signature': signWebhook(secret, { id: event.event_id, seconds, body }),
  };
}

/** Headers for one receiver, and the command that prints its signing secret. */
interface Head {
  readonly url: string | undefined;
  readonly command: string;
  readonly lines: readonly string[];
}

/** The headers sent to each receiver. Without receivers: the headers for the hook's own URL. */
function listHeaders(context: Context, event: EventRow, message: HookMessage, deliveries: readonly Row[]): Head[] {
  const command = `npx treadle webhook secret ${event.hook}`;
  const toLines = (head: object): string[] => Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  const sent = deliveries.flatMap(({ request_head: head, url, client_id: app }): Head[] =>
    isText(head)
      ? [
          {
            url: String(url),
            command: isText(app) ? `${command} --app ${app}` : command,
            lines: toLines(JSON.parse(head) as object),
          },
        ]
      : [],
  );
  return sent.length > 0 ? sent : [{ url: undefined, command, lines: toLines(signHeaders(context, event, message)) }];
}

/** An event for the inbox. */
function toEntry(context: Context, event: EventRow, deliveries: readonly Row[]): Row {
  const message = toMessage(event);
  const { body } = message;
  const heads = listHeaders(context, event, message, deliveries);
  const isSent = deliveries.some(({ request_head: head }) => isText(head));
  const flags = heads[0]?.lines.map((line) => `-H ${quote(line)}`) ?? [];
  const isWhole = body.length <= PAYLOAD_LENGTH;
  return {
    id: event.event_id,
    sequence: Number(event.sequence),
    hook: event.hook,
    type: event.type,
    format: toFormatLabel(event.format),
    created: secondsToStamp(event.event_at),
    isTrial: isTrial(event.event_id),
    isSent,
    isMany: heads.length > 1,
    heads: heads.map(({ lines, ...head }) => ({ ...head, text: lines.join('\n') })),
    payload: isWhole ? toPretty(body) : `${body.slice(0, PAYLOAD_LENGTH)}…`,
    curl: isWhole ? ['curl http://127.0.0.1:4000/', ...flags, `--data-raw ${quote(body)}`].join(' \\\n  ') : undefined,
    deliveries: deliveries.map((row) => ({ ...toDeliveryView(row), milliseconds: row.milliseconds })),
  };
}

async function listEntries(context: Context): Promise<Row[]> {
  const events = await findEvents(context);
  const deliveries = await findDeliveries(
    context,
    events.map((event) => event.event_id),
  );
  return events.map((event) => toEntry(context, event, deliveries.get(event.event_id) ?? []));
}

function admit({ request, response }: Exchange): boolean {
  if (isLocalRequest(request)) return true;
  response.refuse({
    status: 403,
    code: 'NOT_ALLOWED',
    message: 'The inbox of web hooks is shown on the machine that runs `treadle dev`, at localhost.',
  });
  return false;
}

/** The page, or only its list with `part=list`, which the page's script polls. */
export async function openInbox(context: Context, exchange: Exchange): Promise<void> {
  if (!admit(exchange)) return;
  const { services, plan } = context;
  const csrf = services.sessions.formToken(exchange.request);
  const entries = await listEntries(context);
  const figures = await emitFor(context, exchange, 'webhook-figures', {});
  const list = services.views.render('webhook', 'inbox-list', { entries, figures, csrf, inbox: INBOX });
  if (exchange.request.getGet('part') === 'list') {
    exchange.response
      .addHeader('content-type', 'application/json; charset=utf-8')
      .addHeader('cache-control', 'no-store')
      .setContent(JSON.stringify({ list: putBasePathInHtml(toBasePath(services.baseUrl()), list) }));
    return;
  }
  const hooks = plan.hooks.map(({ name, definition }) => ({ name, title: toLocalText(definition.title) }));
  showHookPage(context, exchange, {
    name: 'inbox',
    title: 'Web hook inbox',
    data: { list, hooks, inbox: INBOX },
    scripts: ['developer', 'webhook-inbox'],
    current: 'inbox',
  });
}

/** Replays an event to all its receivers, or fires a trial event of a hook. */
export async function postInbox(context: Context, exchange: Exchange): Promise<void> {
  if (!admit(exchange)) return;
  const posted = (name: string): unknown => exchange.request.getPost(name);
  if (posted('action') === 'test') {
    await emitFor(context, exchange, 'webhook-test', { hook: posted('hook') ?? '' });
    leadTo(exchange, INBOX, 'A trial event is on its way.');
    return;
  }
  const results = await emitFor(context, exchange, 'webhook-delivery-replay', {
    event_id: posted('event_id') ?? 'none',
  });
  leadTo(exchange, INBOX, `It is sent again, with the same id.${toSkippedText(results)}`);
}
