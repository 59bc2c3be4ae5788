import { isNamePattern } from '../../../core/bus/pattern.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import { hasRow, UPDATE } from '../../../model/hook-event.ts';
import { toFormatLabel } from '../../../model/hook-message.ts';
import type { HookModel } from '../../../model/model.ts';
import type { CallPlan } from '../../../plan/feature.ts';
import { listFiringCalls } from '../fired.ts';
import { listConditions } from '../hook-condition.ts';
import { createSamplePayload, HOOK_HEADERS, type HookHeader, listHookHeaders } from '../hook-facts.ts';
import { listReceivers } from '../hook-receiver.ts';
import type { Source } from '../source.ts';
import { toCallRow } from './call.ts';
import { type DocPage, print } from './page.ts';

const toShownHeaders = (headers: readonly HookHeader[]): HookHeader[] =>
  headers.map((header) => ({ ...header, description: toLocalText(header.description) }));

export function buildHookList(hooks: readonly HookModel[], source: Source): DocPage {
  return {
    path: 'webhooks',
    kind: 'webhooks',
    title: translate('Web hooks'),
    template: 'webhooks',
    words: 'webhook events notifications callbacks deliveries receivers verify the signature signing secret hmac retry',
    data: (links) => ({
      hooks: hooks.map(({ name, definition }) => ({
        href: links.page(`webhooks/${name}`),
        name,
        title: toLocalText(definition.title),
        type: definition.type,
        format: toFormatLabel(definition.format),
        event: definition.event,
        description: toLocalText(definition.description ?? ''),
        needsApproval: definition.approval === true,
      })),
      headers: toShownHeaders(HOOK_HEADERS),
      isMixed: hooks.some(({ definition: { format = 'standard' } }) => format !== 'standard'),
      samples: listReceivers(),
      seconds: source.plan.model.settings.webhook.timeoutSeconds,
    }),
  };
}

export function buildHookPage(hook: HookModel, source: Source, calls: readonly CallPlan[]): DocPage {
  const { title, type, event, description, audience, method, format, delivery, parameters } = hook.definition;
  const { model } = source.plan;
  return {
    path: `webhooks/${hook.name}`,
    kind: 'webhooks',
    title: toLocalText(title),
    template: 'webhook',
    words: `${hook.name} ${type} ${event} ${description ?? ''}`,
    data: (links) => ({
      name: hook.name,
      title: toLocalText(title),
      type,
      event,
      description: toLocalText(description ?? ''),
      format: toFormatLabel(format),
      isForUser: audience === 'user',
      needsApproval: hook.definition.approval === true,
      method: (method ?? 'post').toUpperCase(),
      isInline: delivery === 'inline',
      parameters: Object.entries(parameters ?? {}).map(([name, value]) => ({ name, value: JSON.stringify(value) })),
      conditions: listConditions(hook),
      isStructured: format === 'cloudevents-structured',
      isBinary: format === 'cloudevents-binary',
      headers: toShownHeaders(listHookHeaders(hook, model, source.baseUrl)),
      payload: print(createSamplePayload(hook, model, source.baseUrl)),
      isPattern: isNamePattern(event),
      isPart: hook.definition.fields !== undefined,
      isUpdate: event === UPDATE,
      schema: hook.schema && hasRow(event) && { name: hook.schema, href: links.page(`schemas/${hook.schema}`) },
      samples: listReceivers(format),
      firedBy: listFiringCalls(hook, calls).map(({ item, isCertain }) => ({ ...toCallRow(item, links), isCertain })),
      seconds: model.settings.webhook.timeoutSeconds,
      list: links.page('webhooks'),
    }),
  };
}
