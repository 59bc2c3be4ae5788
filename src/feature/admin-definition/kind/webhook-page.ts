import { requireProof } from '../../../access/proof.ts';
import { deriveWebhookSecret, toSecretVersion } from '../../../core/secret/webhook-secret.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { toDeliveryView, toReceiverView, toStateChoices } from '../../../page/delivery-view.ts';
import { emitOr404, readList } from '../../../page/emit-event.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { findNamed, readFacts, showKind, toPath } from './page.ts';
import { toText } from './read-form.ts';
import { readSourceView } from './source-view.ts';

/** Deliveries on one page. */
const ROWS = 25;

/** A web hook of a file, or of the project's code. */
async function findHook(context: Context, exchange: Exchange) {
  const facts = await readFacts(context);
  const name = exchange.request.getParameters('id') ?? '';
  const coded = context.plan.hooks.find((hook) => hook.name === name);
  if (!facts.definitions.webhook.has(name) && coded !== undefined) {
    return { facts, hook: { name, value: coded.definition, codeFile: coded.file } };
  }
  const found = findNamed(context, exchange, facts, 'webhook');
  return found === undefined ? undefined : { facts, hook: { ...found, codeFile: undefined } };
}

/** The log of a hook's deliveries, filtered by the query. */
async function findLog(context: Context, { request }: Exchange, hook: string): Promise<Row> {
  const states = toStateChoices(request.getGet('state'));
  const state = states.find(({ isChosen }) => isChosen)?.value;
  const before = request.getGet('before');
  const found = await emitOr404(context, 'webhook-delivery-search', { hook, state, before, limit: ROWS });
  const rows = found.getResults('rows');
  const deliveries = Array.isArray(rows) ? rows.map(toDeliveryView) : [];
  const next = found.getResults('next');
  const query = new URLSearchParams({ ...(state === undefined ? {} : { state: String(state) }), before: String(next) });
  return {
    deliveries,
    count: deliveries.length,
    states,
    isAsked: request.hasGet('state'),
    isNarrow: state !== undefined || before !== undefined,
    ...(typeof next === 'number' ? { older: `${toPath('webhook', 'detail', hook)}?${query}#log` } : {}),
  };
}

/** Shows a web hook: its receivers, its log, and what may be done with it. @param more Such as its secret. */
export async function showHook(context: Context, exchange: Exchange, more: Row = {}): Promise<void> {
  const found = await findHook(context, exchange);
  if (found === undefined) return;
  const { facts, hook } = found;
  const { name, value, codeFile } = hook;
  const { rows: receivers } = await readList(context, 'webhook-receiver-search', { hook: name });
  showKind(context, exchange, {
    kind: 'webhook',
    name: 'webhook-detail',
    title: toLocalText(value.title),
    actions: 'detail-actions',
    data: {
      ...(await readSourceView(context, exchange, facts, { kind: 'webhook', name })),
      ...value,
      description: toLocalText(value.description ?? ''),
      codeFile,
      audience: value.audience ?? 'app',
      delivery: value.delivery ?? 'queued',
      format: value.format ?? 'standard',
      parameters: Object.entries(value.parameters ?? {}).map(([key, text]) => ({ key, text: String(text) })),
      filterText: value.filter === undefined ? undefined : JSON.stringify(value.filter),
      secretVersion: value.secretVersion ?? 1,
      receivers: receivers.map((row) => ({ ...toReceiverView(row), app: row.client_id })),
      docs: `/developer/docs/webhooks/${encodeURIComponent(name)}`,
      notServed: !context.plan.hooks.some((each) => each.name === name),
      ...(await findLog(context, exchange, name)),
      ...more,
    },
  });
}

/** Shows the answer of an event on the hook's page, or leads there with a message. */
async function finish(
  context: Context,
  exchange: Exchange,
  answer: { isError(): boolean; getMessage(): unknown; getStatus(): number },
  text: string,
) {
  const name = exchange.request.getParameters('id') ?? '';
  if (!answer.isError()) {
    flash(exchange, text);
    exchange.response.setRedirect(`${toPath('webhook', 'detail', name)}#log`);
    return;
  }
  exchange.response.setStatus(answer.getStatus()).setError(true, String(answer.getMessage()));
  await showHook(context, exchange);
}

/** Sends a trial event: to one receiver, or to all that would get the real event. */
export async function postTest(context: Context, exchange: Exchange): Promise<void> {
  const hook = exchange.request.getParameters('id');
  const receiver = toText(exchange.request.getPost('receiver'));
  const stage = { hook, receiver, profile_id: exchange.request.getSession('me', 'profile_id') };
  await finish(
    context,
    exchange,
    await emitOr404(context, 'webhook-test', stage),
    translate('A trial event is on its way.'),
  );
}

/** Sends one delivery again, or all that failed. */
export async function postReplay(context: Context, exchange: Exchange): Promise<void> {
  const hook = exchange.request.getParameters('id');
  const delivery = toText(exchange.request.getPost('delivery_id'));
  const answer = await emitOr404(context, 'webhook-delivery-replay', { hook, delivery_id: delivery });
  const count = Number(answer.getResults('count') ?? 0);
  await finish(
    context,
    exchange,
    answer,
    translate('{count, plural, one {One delivery is} other {# deliveries are}} sent again.', { count }),
  );
}

/** Enables or disables a receiver. */
export async function postReceiver(context: Context, exchange: Exchange): Promise<void> {
  const receiver = toText(exchange.request.getPost('receiver'));
  const isOn = toText(exchange.request.getPost('action')) === 'enable';
  const answer = isOn
    ? await emitOr404(context, 'webhook-receiver-enable', { receiver })
    : await emitOr404(context, 'webhook-receiver-disable', {
        receiver,
        reason: translate('Disabled by an administrator.'),
      });
  await finish(
    context,
    exchange,
    answer,
    isOn ? translate('The receiver is enabled.') : translate('The receiver is disabled.'),
  );
}

/** Shows the signing secret of the hook's own URL, after the person has proven who they are. */
export async function postSecret(context: Context, exchange: Exchange): Promise<void> {
  const name = exchange.request.getParameters('id') ?? '';
  if (!requireProof(context, exchange, toPath('webhook', 'detail', name))) return;
  const hook = context.plan.hooks.find((each) => each.name === name);
  if (hook === undefined) return showHook(context, exchange);
  const { secretName = name, secretVersion } = hook.definition;
  const version = toSecretVersion(secretVersion);
  const secret = deriveWebhookSecret(context.services.secret, secretName, undefined, version);
  await showHook(context, exchange, { secret });
}
