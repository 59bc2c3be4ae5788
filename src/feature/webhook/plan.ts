import type { Problem } from '../../core/errors.ts';
import { memoize } from '../../core/memoize.ts';
import { isCidr } from '../../outbound/address.ts';
import type { Context, Contribution, Facts, RouteContribution } from '../../plan/feature.ts';
import { jobTable } from '../../queue/table.ts';
import { createCapture } from './capture.ts';
import { deliveries } from './delivery/deliveries.ts';
import { createOutbox, type FindOutbox } from './delivery/outbox.ts';
import { listQueueFigures } from './delivery/queue-figures.ts';
import { createWebhookWorker } from './delivery/worker.ts';
import { webhookCall } from './events/webhook-call.ts';
import { webhookDeliveryDetail } from './events/webhook-delivery-detail.ts';
import { webhookDeliveryReplay } from './events/webhook-delivery-replay.ts';
import { webhookFigures } from './events/webhook-figures.ts';
import { webhookReceiverDisable } from './events/webhook-receiver-disable.ts';
import { webhookReceiverDisabled } from './events/webhook-receiver-disabled.ts';
import { webhookReceiverEnable } from './events/webhook-receiver-enable.ts';
import { webhookReceiverSearch } from './events/webhook-receiver-search.ts';
import { webhookSecretRotate } from './events/webhook-secret-rotate.ts';
import { webhookTest } from './events/webhook-test.ts';
import { compileHookPlan } from './hook-plan.ts';
import { judgeHooks } from './judge.ts';
import { compileHooks } from './match.ts';
import { rotateApp, rotateReceivers } from './receiver/receiver-sql.ts';
import { compileSecrets } from './receiver/secret-name.ts';
import { followRenames } from './renamed-hook.ts';
import { developerRoutes, inboxRoutes } from './routes.ts';
import { webhookTables } from './tables.ts';

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

/** Prepares the receivers for a new plan: renames first, because rotations use the hook's name. */
async function seedReceivers(context: Context): Promise<void> {
  await followRenames(context);
  await noteRotations(context);
}

/**
 * Saves rotations when a plan is swapped in, so that the day of two signatures starts then and not with the
 * next event.
 */
async function noteRotations(context: Context): Promise<void> {
  const { database, clock } = context.services;
  const now = Math.floor(clock.now() / 1000);
  for (const hook of context.plan.hooks)
    await rotateReceivers(database, hook.name, hook.definition.secretVersion ?? 1, now);
  for (const { definition } of context.plan.model.apps.values())
    if (definition.hooks?.length) await rotateApp(database, definition.clientId, definition.secretVersion ?? 1, now);
}

/** An app's web hook pages belong to the developer section, which exists only with apps. */
function listRoutes({ model, isDevelopment }: Facts): RouteContribution[] {
  const hasApps = model.settings.api && model.schemas.has('profile');
  return [...(hasApps ? developerRoutes : []), ...(isDevelopment ? inboxRoutes : [])];
}

/** Contributes the web hook feature: tables, event capture, delivery worker, log and pages. */
export function contributeWebhooks(facts: Facts): Contribution {
  const findOutbox: FindOutbox = memoize((context: Context) => createOutbox(context, facts));
  const isSecret = compileSecrets(facts.model);
  const plans = facts.hooks.map((hook) => compileHookPlan(hook, facts.model, isSecret));
  const findHooks = compileHooks(plans);
  return {
    ownTables: [deliveries],
    tables: [...webhookTables, jobTable],
    events: [
      webhookCall(findOutbox),
      ...deliveries.events,
      webhookDeliveryDetail,
      webhookDeliveryReplay(findOutbox),
      webhookTest(findOutbox),
      webhookReceiverSearch,
      webhookReceiverEnable(findOutbox),
      webhookReceiverDisable(findOutbox),
      webhookReceiverDisabled,
      webhookSecretRotate(findOutbox),
      webhookFigures(findOutbox),
    ],
    routes: listRoutes(facts),
    commits: [(context) => createCapture(findOutbox(context), findHooks)],
    seeds: [seedReceivers],
    workers: [(context) => createWebhookWorker(findOutbox(context))],
    figures: [(context) => listQueueFigures(findOutbox(context))],
    problems: [...judgeSettings(facts), ...judgeHooks(plans, facts)],
  };
}
