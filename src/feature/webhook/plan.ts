import type { Problem } from '../../core/errors.ts';
import type { HookModel } from '../../model/model.ts';
import { isCidr, judgeUrl } from '../../outbound/address.ts';
import type { Context, Contribution, Facts } from '../../plan/feature.ts';
import { jobTable } from '../../queue/table.ts';
import { createCapture } from './capture.ts';
import { webhookCall } from './events/webhook-call.ts';
import { webhookDeliveryReplay } from './events/webhook-delivery-replay.ts';
import { webhookDeliverySearch } from './events/webhook-delivery-search.ts';
import { webhookTest } from './events/webhook-test.ts';
import { compileHooks } from './match.ts';
import { createOutbox, type FindOutbox, type Outbox, toPolicy } from './outbox.ts';
import { rotateReceivers } from './sql.ts';
import { webhookTables } from './tables.ts';
import { createWebhookWorker } from './worker.ts';

/** A malformed URL is an error; one that the guard refuses today is an advice, since it is judged when it is called. */
function judgeHook(hook: HookModel, facts: Facts): Problem[] {
  const { url } = hook.definition;
  if (url === undefined || url === '') return [];
  const judged = judgeUrl(url, toPolicy(facts));
  if ('url' in judged) return [];
  const at = { file: hook.file, path: 'url', message: judged.reason };
  if (judged.kind === 'url')
    return [{ ...at, code: 'WEBHOOK_URL_INVALID', hint: 'Write an address such as https://example.org/hook.' }];
  const hint = 'It will not be called unless webhook.allowPrivate in config/settings.json has its block.';
  return [{ ...at, code: 'WEBHOOK_ADDRESS_REFUSED', hint, severity: 'advice' }];
}

function judgeSettings(facts: Facts): Problem[] {
  return facts.model.settings.webhook.allowPrivate.flatMap((block, index) =>
    isCidr(block)
      ? []
      : [
          {
            code: 'WEBHOOK_CIDR_INVALID',
            file: 'config/settings.json',
            path: `webhook.allowPrivate[${index}]`,
            message: `"${block}" is not a block of addresses.`,
            hint: 'Write it as 10.0.0.0/8 or fd00::/8.',
          },
        ],
  );
}

/** Notes rotations when a plan is swapped in, so that the day of two signatures starts then and not at the next event. */
async function noteRotations(context: Context): Promise<void> {
  const { database, clock } = context.services;
  const now = Math.floor(clock.now() / 1000);
  for (const hook of context.plan.hooks)
    await rotateReceivers(database, hook.name, hook.definition.secretVersion ?? 1, now);
}

/** What web hooks add: their tables, the rows that commit with an event, the worker that delivers, and four events. */
export function contributeWebhooks(facts: Facts): Contribution {
  const outboxes = new WeakMap<Context, Outbox>();
  const findOutbox: FindOutbox = (context) => {
    const known = outboxes.get(context);
    if (known) return known;
    const made = createOutbox(context, facts);
    outboxes.set(context, made);
    return made;
  };
  const findHooks = compileHooks(facts.hooks);
  return {
    tables: [...webhookTables, jobTable],
    events: [
      webhookCall(findOutbox),
      webhookDeliverySearch(),
      webhookDeliveryReplay(findOutbox),
      webhookTest(findOutbox),
    ],
    commits: [(context) => createCapture(findOutbox(context), findHooks)],
    seeds: [noteRotations],
    workers: [(context) => createWebhookWorker(findOutbox(context))],
    problems: [...judgeSettings(facts), ...facts.hooks.flatMap((hook) => judgeHook(hook, facts))],
  };
}
