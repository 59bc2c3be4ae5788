import type { Problem } from '../../core/errors.ts';
import { hasRow } from '../../model/hook-event.ts';
import type { HookModel } from '../../model/model.ts';
import { findOwnerColumn } from '../../model/role/owner-column.ts';
import { Hook, toFile } from '../../model/shape.ts';
import { judgeUrl } from '../../outbound/address.ts';
import type { Facts } from '../../plan/feature.ts';
import { toPolicy } from './delivery/outbox.ts';
import { judgeExposure } from './exposure.ts';
import type { HookPlan } from './hook-plan.ts';

/** Errors and advice about a hook. */
function judgeHook({ hook, errors }: HookPlan, facts: Facts): Problem[] {
  const told = errors.map((error) => ({ code: 'WEBHOOK_FILTER_INVALID', file: hook.file, ...error }));
  return [
    ...told,
    ...judgeUser(hook, facts),
    ...judgeExposure(hook, facts),
    ...judgeAddress(hook.definition.url, { file: hook.file, path: 'url' }, facts),
  ];
}

/** An event without an owner reaches no app of a user. */
function judgeUser(hook: HookModel, { model }: Facts): Problem[] {
  const { audience, event } = hook.definition;
  const schema = hook.schema === undefined || !hasRow(event) ? undefined : model.schemas.get(hook.schema);
  if (audience !== 'user' || !schema || findOwnerColumn(schema) !== undefined) return [];
  const message = `The web hook is for the user concerned, but rows of "${schema.name}" belong to no profile.`;
  const hint = `Relate it: treadle relation add ${schema.name} 1:1 profile. Or make its "audience" app.`;
  return [{ code: 'WEBHOOK_AUDIENCE_IDLE', file: hook.file, path: 'audience', message, hint, severity: 'advice' }];
}

/** Where a URL was written. */
interface UrlSource {
  readonly file: string;
  readonly path: string;
}

/**
 * A malformed URL is an error. A URL that the guard refuses today is an advice, because the guard decides
 * at each call.
 */
function judgeAddress(url: string | undefined, { file, path }: UrlSource, facts: Facts): Problem[] {
  if (url === undefined || url === '') return [];
  const judged = judgeUrl(url, toPolicy(facts));
  if ('url' in judged) return [];
  const at = { file, path, message: judged.reason };
  if (judged.kind === 'url')
    return [{ ...at, code: 'WEBHOOK_URL_INVALID', hint: 'Write an address such as https://example.org/hook.' }];
  const hint =
    judged.isNever === true
      ? 'Write an address such as https://example.org/hook.'
      : 'In production it is not called unless webhook.allowPrivate in config/settings.json has its block.';
  return [{ ...at, code: 'WEBHOOK_ADDRESS_REFUSED', hint, severity: 'advice' }];
}

/** Hooks from definition files were already parsed by the shape; those from the project's code were not. */
function judgeShape(hook: HookModel, { model }: Facts): Problem[] {
  if (model.hooks.get(hook.name) === hook) return [];
  const issues = Hook.safeParse(hook.definition).error?.issues ?? [];
  // The address check below reports URLs more exactly.
  return issues
    .filter(({ path }) => path[0] !== 'url')
    .map(({ path, message }) => ({
      code: 'WEBHOOK_HANDWRITTEN_INVALID',
      file: hook.file,
      path: path.join('.'),
      message: `app.webhook("${hook.name}"): ${path.join('.')} ${message}.`,
      hint: 'Its keys are those of a definition in config/webhook.',
    }));
}

function judgeName(hook: HookModel, hooks: readonly HookModel[]): Problem[] {
  const other = hooks.find(({ name }) => name === hook.name);
  if (!other || other === hook) return [];
  const message = `Two web hooks are named "${hook.name}": in ${other.file} and in ${hook.file}.`;
  const hint = 'Give app.webhook a "name" of its own; the secret and the log are made from it.';
  return [{ code: 'WEBHOOK_NAME_TWICE', file: hook.file, path: '', message, hint }];
}

/** All problems of the hooks. */
export function judgeHooks(plans: readonly HookPlan[], facts: Facts): Problem[] {
  const told = plans.flatMap((plan) => [
    ...judgeShape(plan.hook, facts),
    ...judgeName(plan.hook, facts.hooks),
    ...judgeHook(plan, facts),
  ]);
  const apps = [...facts.model.apps].flatMap(([name, { definition }]) =>
    judgeAddress(definition.webhook, { file: toFile('app', name), path: 'webhook' }, facts),
  );
  return [...told, ...apps];
}
