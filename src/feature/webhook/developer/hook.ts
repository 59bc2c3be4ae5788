import { requireProof } from '../../../access/proof.ts';
import { deriveWebhookSecret, toSecretVersion } from '../../../core/secret/webhook-secret.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { toDeliveryView, toReceiverView, toSkippedText, toStateChoices } from '../../../page/delivery-view.ts';
import { type Exchange, leadTo } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { takeSending } from '../delivery/send-limit.ts';
import type { HookApp } from '../hook-app.ts';
import { emitFor, type OwnApp, requireApp, showHookPage, toHookHead } from './page.ts';

/** Filters of the delivery list, by form field. */
const FILTERS = ['hook', 'state', 'event_id', 'since', 'until'] as const;
const ROWS = 25;

export const toAppPath = (app: HookApp): string => `/developer/app/webhook/${app.app_id}`;

type ValueReader = (name: string) => unknown;

function readFilter(read: ValueReader): Record<string, string> {
  const given = FILTERS.map((name) => [name, read(name)] as const);
  return Object.fromEntries(
    given.filter((entry): entry is readonly [(typeof FILTERS)[number], string] => {
      const [, value] = entry;
      return typeof value === 'string' && value.trim() !== '';
    }),
  );
}

/** The current signing secrets of an app's hooks. */
function listSecrets({ services, plan }: Context, app: HookApp): Row[] {
  return plan.hooks
    .filter(({ name }) => app.hooks.includes(name))
    .map(({ name, definition }) => {
      const version = toSecretVersion(definition.secretVersion, app.secret_version);
      const secret = deriveWebhookSecret(services.secret, definition.secretName ?? name, app.client_id, version);
      return { id: `t-secret-${name}`, hook: name, title: toLocalText(definition.title), secret, version };
    });
}

interface HookView {
  readonly own: OwnApp;
  readonly filter: Readonly<Record<string, string>>;
  readonly secrets?: readonly Row[];
}

async function showApp(context: Context, exchange: Exchange, { own, filter, secrets }: HookView): Promise<void> {
  const { app, owner } = own;
  const at = { owner, app_id: app.app_id };
  const before = exchange.request.getGet('before');
  const found = await emitFor(context, exchange, 'webhook-delivery-search', { ...at, ...filter, before, limit: ROWS });
  const message = exchange.response.isError() ? exchange.response.getMessage() : undefined;
  exchange.response.setError(false).setStatus(200);
  const receivers = await emitFor(context, exchange, 'webhook-receiver-search', at);
  const hooks = context.plan.hooks.filter(({ name }) => app.hooks.includes(name));
  const deliveries = ((found.rows ?? []) as Row[]).map(toDeliveryView);
  const query = new URLSearchParams({ ...filter, before: String(found.next) });
  showHookPage(context, exchange, {
    name: 'app',
    title: `${translate('Web hooks')} · ${app.title}`,
    data: {
      head: toHookHead(app),
      app: { webhook: app.webhook, isFile: app.name !== null, name: app.name, someHook: context.plan.hooks[0]?.name },
      receivers: ((receivers.rows ?? []) as Row[]).map(toReceiverView),
      secrets,
      canRotate: app.name === null,
      hasSecrets: hooks.length > 0 && app.webhook !== null,
      deliveries,
      isListed: deliveries.length > 0 || before !== undefined || Object.keys(filter).length > 0,
      older: found.next === null || found.next === undefined ? undefined : `${toAppPath(app)}?${query}`,
      isLater: before !== undefined,
      isFiltered: Object.keys(filter).length > 0,
      isNarrow: ['since', 'until', 'event_id'].some((name) => name in filter),
      filter,
      hooks: hooks.map(({ name, definition }) => ({
        name,
        title: toLocalText(definition.title),
        isChosen: name === filter.hook,
      })),
      states: toStateChoices(filter.state),
      ...(message === undefined ? {} : { message }),
    },
  });
}

export async function openApp(context: Context, exchange: Exchange): Promise<void> {
  const own = await requireApp(context, exchange);
  if (own) await showApp(context, exchange, { own, filter: readFilter((name) => exchange.request.getGet(name)) });
}

const count = (results: Row): string => {
  const number = Number(results.count ?? 0);
  return number === 1 ? 'One delivery is' : `${number} deliveries are`;
};

type Action = (context: Context, exchange: Exchange, own: OwnApp, posted: ValueReader) => Promise<void>;

const ACTIONS: Readonly<Record<string, Action>> = {
  async enable(context, exchange, { app, owner }, posted) {
    const stage = { owner, app_id: app.app_id, receiver: posted('receiver'), catch_up: posted('catch_up') };
    const results = await emitFor(context, exchange, 'webhook-receiver-enable', stage);
    leadTo(exchange, toAppPath(app), `Enabled. ${count(results)} sent again.${toSkippedText(results)}`);
  },
  async disable(context, exchange, { app, owner }, posted) {
    const stage = { owner, app_id: app.app_id, receiver: posted('receiver'), reason: "Disabled by the app's owner." };
    await emitFor(context, exchange, 'webhook-receiver-disable', stage);
    leadTo(exchange, toAppPath(app), 'Disabled. What happens now is kept for 30 days.');
  },
  async test(context, exchange, { app, owner }, posted) {
    const profileId = exchange.request.getSession('me', 'profile_id');
    const stage = { owner, app_id: app.app_id, hook: posted('hook') ?? '', profile_id: profileId };
    const results = await emitFor(context, exchange, 'webhook-test', stage);
    const [row] = (results.rows ?? []) as Row[];
    leadTo(exchange, row ? `${toAppPath(app)}/${row.delivery_id}` : toAppPath(app), 'A trial event is on its way.');
  },
  async replay(context, exchange, { app, owner }, posted) {
    const stage = { owner, app_id: app.app_id, ...readFilter(posted) };
    const results = await emitFor(context, exchange, 'webhook-delivery-replay', stage);
    leadTo(exchange, toAppPath(app), `${count(results)} sent again.${toSkippedText(results)}`);
  },
  async rotate(context, exchange, own) {
    await emitFor(context, exchange, 'webhook-secret-rotate', { owner: own.owner, app_id: own.app.app_id });
    if (exchange.response.isError()) return leadTo(exchange, toAppPath(own.app), '');
    const app = { ...own.app, secret_version: own.app.secret_version + 1 };
    await showApp(context, exchange, { own: { ...own, app }, filter: {}, secrets: listSecrets(context, app) });
  },
  async secret(context, exchange, own) {
    await showApp(context, exchange, { own, filter: {}, secrets: listSecrets(context, own.app) });
  },
};

/** Actions that show secrets: the user confirms who they are before. */
const SECRET: ReadonlySet<string> = new Set(['rotate', 'secret']);

/** Actions that send: one delivery per web hook, or everything in the log. */
const SENDING: Readonly<Record<string, 'one' | 'many' | undefined>> = { test: 'one', replay: 'many', enable: 'many' };

/**
 * One form with an `action` field. Allowed values are listed above; the app's owner comes from the session.
 */
export async function postApp(context: Context, exchange: Exchange): Promise<void> {
  const own = await requireApp(context, exchange);
  if (!own) return;
  const posted: ValueReader = (name) => exchange.request.getPost(name);
  const name = String(posted('action') ?? '');
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  const kind = action && SENDING[name];
  if (kind && !takeSending(context, exchange, { owner: own.owner, kind, path: toAppPath(own.app) })) return;
  if (SECRET.has(name) && !requireProof(context, exchange, toAppPath(own.app))) return;
  if (action) await action(context, exchange, own, posted);
  else leadTo(exchange, toAppPath(own.app), 'Nothing was asked for.');
}
