import { findShownTo, type ShownTo } from '../../access/reach.ts';
import { isNamePattern } from '../../core/bus/pattern.ts';
import type { Problem } from '../../core/errors.ts';
import { compileHookEvent } from '../../model/hook-event.ts';
import type { CallModel, ColumnModel, HookModel, Model, SchemaModel } from '../../model/model.ts';
import { findOwnerColumn } from '../../model/role/owner-column.ts';
import type { Facts } from '../../plan/feature.ts';

const READS = /^system-model-(?:search|detail)$/;
/** Results of account events contain the e-mail address, which no API call shows. */
const ACCOUNT = 'auth-create';

/** Events about rows: which exist, how they are linked, what they contain. */
const ROWS: readonly string[] = [
  ...['create', 'update', 'remove', 'restore', 'search', 'detail', 'batch', 'import'].map((verb) => `model-${verb}`),
  ...['link', 'unlink', 'unlink-all'].map((verb) => `relation-${verb}`),
].map((name) => `system-${name}`);

/** Events about apps and users' consents. */
const ACCESS: readonly string[] = [
  ...['create', 'update', 'remove', 'restore', 'suspend', 'approve', 'refresh', 'session-remove'].map(
    (verb) => `app-${verb}`,
  ),
  ...['grant-remove', 'oauth-revoke', 'webhook-app-rotate', 'webhook-receiver-disabled'],
];

const isAccount = (event: string): boolean =>
  isNamePattern(event) ? compileHookEvent(event)(ACCOUNT) : event.startsWith('auth-');

/** Whether a self-registered app may make a call that shows all rows. */
function isOpenToAny({ definition: { access }, scopes: slugs, isOwn }: CallModel, { scopes }: Model): boolean {
  if (access === 'public') return true;
  const listing = slugs.map((slug) => scopes.get(slug)?.definition).filter((scope) => scope?.access === access);
  const isFree = listing.some((scope) => scope?.approval !== true);
  return access === 'app' ? listing.length === 0 || isFree : !isOwn && isFree;
}

/** Whether the rules show to every caller all that a hook sends of a row, with the columns of its 1:1 relations. */
function showsSent(
  shown: ShownTo | undefined,
  access: CallModel['definition']['access'],
  schema: SchemaModel,
  { hook, model }: HookContext,
): boolean {
  const { fields, filter } = hook.definition;
  // Which rows a rule shows, only the author knows: as with a call's fixed filter, a hook with a filter is trusted.
  const isEnough = (found: ShownTo | undefined): found is ShownTo =>
    found !== undefined && (found.isEveryRow || filter !== undefined);
  if (!isEnough(shown)) return false;
  // A private column is sent only if the hook names it.
  const isSent = (name: string, { isPrivate }: ColumnModel): boolean => fields?.includes(name) ?? !isPrivate;
  const { row } = schema;
  if (row.shown.some((column) => isSent(column.name, column) && shown.sure?.has(column.name) === false)) return false;
  return row.flat.every(({ name, target, column, model: own }) => {
    if (own === undefined || !isSent(name, own)) return true;
    const joined = findShownTo(model, access, target, 'detail');
    return isEnough(joined) && joined.sure?.has(column) !== false;
  });
}

/** Whether a call shows the rows that a hook sends, directly or through a relation. */
function isShowing(call: CallModel, schema: SchemaModel, { hook, model }: HookContext): boolean {
  const { event, parameters = {} } = call.definition;
  if (!READS.test(event) || call.schema === undefined) return false;
  // A call with a fixed filter hides some rows. Only the author knows which, so a hook with a filter is
  // trusted.
  if (parameters.filter !== undefined && hook.definition.filter === undefined) return false;
  const { fields } = parameters;
  const { access } = call.definition;
  const own = findShownTo(model, access, call.schema, event === 'system-model-search' ? 'search' : 'detail');
  if (call.schema !== schema.name) {
    if (fields !== undefined || parameters.expand !== undefined || own?.isEveryRow !== true) return false;
    const isRelated = model.schemas.get(call.schema)?.relations.some(({ target }) => target === schema.name) === true;
    return isRelated && showsSent(findShownTo(model, access, schema.name, 'detail'), access, schema, { hook, model });
  }
  if (!showsSent(own, access, schema, { hook, model })) return false;
  if (fields === undefined) return true;
  const shown = [fields].flat().flatMap((names) => String(names).split(','));
  return hook.definition.fields?.every((name) => shown.includes(name) || name === schema.primary) === true;
}

interface HookContext {
  readonly hook: HookModel;
  readonly model: Model;
}

/** Names the data that a hook sends but no API call shows; undefined if there is none. */
function findHidden({ hook, model }: HookContext, calls: readonly CallModel[]): string | undefined {
  const { event, parameters = {} } = hook.definition;
  const named = ['schema', 'schema1', 'schema2'].flatMap((key) => parameters[key] ?? []).map(String);
  if (named.length === 0 && isAccount(event)) return 'accounts, with their e-mail addresses';
  if (named.length === 0 && ACCESS.some(compileHookEvent(event))) return 'other apps, and of who uses them';
  if (!ROWS.some(compileHookEvent(event))) return undefined;
  const schemas = (named.length === 0 ? [...model.schemas.keys()] : named).flatMap(
    (name) => model.schemas.get(name) ?? [],
  );
  const hidden = schemas.find((schema) => !calls.some((call) => isShowing(call, schema, { hook, model })));
  return hidden && `every row of "${hidden.name}"`;
}

/** An inline delivery lets a slow receiver of someone else delay the action. */
function judgeInline({ file, definition }: HookModel, { model }: Facts): Problem[] {
  if (definition.delivery !== 'inline') return [];
  const { timeoutSeconds } = model.settings.webhook;
  const message = `Whoever registers an app can make each action that fires this web hook wait ${timeoutSeconds} s for its server.`;
  const hint =
    'Write "approval": true, so that an admin says which apps are waited for, or take "delivery": "inline" away. "approval": false says that all may.';
  return [{ code: 'WEBHOOK_INLINE_OPEN', file, path: 'delivery', message, hint, severity: 'advice' }];
}

/**
 * Warns when any self-registered app could subscribe to data that no API call gives it, or delay the
 * action. Set `approval` (true or false) to silence it.
 */
export function judgeExposure(hook: HookModel, facts: Facts): Problem[] {
  const { audience = 'app', approval } = hook.definition;
  if (audience !== 'app' || approval !== undefined || !facts.model.settings.api) return [];
  return [...judgeHidden(hook, facts), ...judgeInline(hook, facts)];
}

function judgeHidden(hook: HookModel, { model, calls }: Facts): Problem[] {
  const open = calls.filter((call) => isOpenToAny(call, model));
  const hidden = findHidden({ hook, model }, open);
  if (hidden === undefined) return [];
  const schema = hook.schema === undefined ? undefined : model.schemas.get(hook.schema);
  const isOwned = schema !== undefined && findOwnerColumn(schema) !== undefined;
  const message = `Whoever registers an app hears of ${hidden} by this web hook, and no call shows that to any app.`;
  const user = isOwned ? ', or "audience": "user" for apps of the user concerned' : '';
  const hint = `Write "approval": true, so that an admin says which apps hear of it${user}. "approval": false says that all may.`;
  return [{ code: 'WEBHOOK_AUDIENCE_OPEN', file: hook.file, path: 'approval', message, hint, severity: 'advice' }];
}
