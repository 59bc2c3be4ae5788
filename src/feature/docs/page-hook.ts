import type { HookModel } from '../../model/model.ts';
import type { CallPlan } from '../../plan/feature.ts';
import { listFiringCalls } from './fired.ts';
import { HOOK_HEADERS, toSamplePayload } from './hook-facts.ts';
import { listReceivers } from './hook-receiver.ts';
import { type DocPage, print } from './page.ts';
import { toCallRow } from './page-call.ts';
import type { Source } from './source.ts';

export function toHookList(hooks: readonly HookModel[], source: Source): DocPage {
  return {
    path: 'webhooks',
    kind: 'webhooks',
    title: 'Web hooks',
    template: 'webhooks',
    words: 'events notifications deliveries receivers signature secret retry',
    data: (links) => ({
      hooks: hooks.map(({ name, definition }) => ({
        href: links.page(`webhooks/${name}`),
        title: definition.title,
        type: definition.type,
        event: definition.event,
        description: definition.description,
      })),
      headers: HOOK_HEADERS,
      samples: listReceivers(),
      seconds: source.plan.model.settings.webhook.timeoutSeconds,
    }),
  };
}

/** The conditions on a hook's data, such as `article_words gte 100`. */
function listConditions(hook: HookModel): { name: string; operator: string; value: string }[] {
  const filter = (hook.definition as { filter?: Readonly<Record<string, unknown>> }).filter ?? {};
  return Object.entries(filter).flatMap(([name, wanted]) => {
    const isOperators = typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted);
    const pairs = isOperators ? Object.entries(wanted) : [['eq', wanted] as const];
    return pairs.map(([operator, value]) => ({
      name,
      operator: operator === 'eq' ? 'is' : operator,
      value: JSON.stringify(value),
    }));
  });
}

export function toHookPage(hook: HookModel, source: Source, calls: readonly CallPlan[]): DocPage {
  const { title, type, event, description, audience, method, delivery, parameters } = hook.definition;
  const { model } = source.plan;
  return {
    path: `webhooks/${hook.name}`,
    kind: 'webhooks',
    title,
    template: 'webhook',
    words: `${hook.name} ${type} ${event} ${description ?? ''}`,
    data: (links) => ({
      name: hook.name,
      title,
      type,
      event,
      description,
      isForUser: audience === 'user',
      method: (method ?? 'post').toUpperCase(),
      isInline: delivery === 'inline',
      parameters: Object.entries(parameters ?? {}).map(([name, value]) => ({ name, value: JSON.stringify(value) })),
      conditions: listConditions(hook),
      headers: HOOK_HEADERS,
      payload: print(toSamplePayload(hook, model)),
      schema: hook.schema && { name: hook.schema, href: links.page(`schemas/${hook.schema}`) },
      samples: listReceivers(),
      firedBy: listFiringCalls(hook, calls).map(({ item, isCertain }) => ({ ...toCallRow(item, links), isCertain })),
      seconds: model.settings.webhook.timeoutSeconds,
      list: links.page('webhooks'),
    }),
  };
}
