import type { Response } from '../../../core/request/response.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import { translate } from '../../../core/text/translate.ts';
import { toFile } from '../../../model/shape.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { findPending } from '../client/allowed-scopes.ts';
import { findAnyApp } from '../client/any-app.ts';
import type { ClientApp } from '../client/app-row.ts';
import { findPendingHooks } from '../client/subscribed-hooks.ts';
import { lockApp, updateApp } from '../sql.ts';

const OF_FILE = 'it gets what the file lists, without approval.';

const readNames = (value: unknown): string[] =>
  [value]
    .flat()
    .flatMap((item) => (typeof item === 'string' ? item.split(/[\s,]+/) : []))
    .filter((name) => name !== '');

/** What an admin decides about. */
interface ApprovalRequest {
  readonly scopes: readonly string[];
  readonly hooks: readonly string[];
  readonly isTakingBack: boolean;
}

/** A scope or web hook of a name, if defined. */
interface ApprovalItem {
  readonly file: string;
  readonly definition: { readonly approval?: boolean | undefined };
}

/** Why a scope or web hook cannot be approved; undefined if it can. */
function findApprovalError(
  word: string,
  name: string,
  found: ApprovalItem | undefined,
  names: readonly string[],
): string | undefined {
  if (found === undefined)
    return translate('There is no {word} "{name}". {names}', { word, name, names: toDidYouMean(name, names) }).trim();
  if (found.definition.approval === true) return undefined;
  const remedy = `For it to need one, write "approval": true in ${found.file}.`;
  return translate('The {word} "{name}" needs no approval: every app that lists it has it. {remedy}', {
    word,
    name,
    remedy,
  });
}

/**
 * Reports names that cannot be approved; true if there are any. Approval can always be taken back, even for
 * names no longer defined, because something else may be defined under the name later.
 */
function refuseOdd(
  { plan: { model, hooks } }: Context,
  app: ClientApp,
  approval: ApprovalRequest,
  response: Response,
): boolean {
  const isHeld = (names: readonly string[], name: string): boolean => approval.isTakingBack && names.includes(name);
  const scopes = approval.scopes
    .filter((slug) => !isHeld(app.approved, slug))
    .map((slug) => {
      const scope = model.scopes.get(slug);
      const named = scope && { file: toFile('scope', slug), definition: scope.definition };
      return findApprovalError('scope', slug, named, [...model.scopes.keys()]);
    });
  const named = approval.hooks
    .filter((name) => !isHeld(app.approvedHooks, name))
    .map((name) => {
      const hook = hooks.find((each) => each.name === name);
      return findApprovalError(
        'web hook',
        name,
        hook,
        hooks.map((each) => each.name),
      );
    });
  const message = [...scopes, ...named].find((error) => error !== undefined);
  if (message === undefined) return false;
  response.refuse({ status: 422, message });
  return true;
}

/** The approved names afterwards. */
function decide(context: Context, app: ClientApp, { scopes, hooks, isTakingBack }: ApprovalRequest) {
  const isAll = scopes.length === 0 && hooks.length === 0;
  const settle = (before: readonly string[], named: readonly string[], waiting: readonly string[]): string[] => {
    if (isTakingBack) return isAll ? [] : before.filter((name) => !named.includes(name));
    return [...new Set([...before, ...(isAll ? waiting : named)])];
  };
  return {
    approved: settle(app.approved, scopes, findPending(context, app)),
    approvedHooks: settle(app.approvedHooks, hooks, findPendingHooks(context, app)),
  };
}

export const appApprove: EventContribution = {
  name: 'app-approve',
  description: 'Approves scopes and web hooks for an app that was registered in the browser. For administrators.',
  stage: {
    app_id: 'The app, or use `client_id`.',
    client_id: 'Its client id.',
    scopes: 'Slugs of the scopes to approve.',
    hooks: 'Names of the web hooks to approve. Without `scopes` and `hooks`: everything that the app waits for.',
    revoke: '`1` withdraws the approval: tokens lose these scopes at once, and these web hooks are no longer sent.',
  },
  results: '`app_id`, `client_id`; scopes: `approved` and `pending`; web hooks: `approved_hooks` and `pending_hooks`.',
  kind: 'writes',
  listen: (context) => async (request, response) => {
    const { database } = context.services;
    const app = await findAnyApp(context, request, response, { remedy: OF_FILE });
    if (!app) return;
    const approval = {
      scopes: readNames(request.getStage('scopes')),
      hooks: readNames(request.getStage('hooks')),
      isTakingBack: ['1', 1, true].includes(request.getStage('revoke') as string),
    };
    if (refuseOdd(context, app, approval, response)) return;
    const decided = await database.write(async () => {
      // Another admin may decide of something else meanwhile.
      const after = decide(context, (await lockApp(database, app.appId)) ?? app, approval);
      await updateApp(database, app.appId, {
        approved: JSON.stringify(after.approved),
        approved_hooks: JSON.stringify(after.approvedHooks),
      });
      return after;
    });
    const after = { ...app, ...decided };
    response.succeed({
      app_id: app.appId,
      client_id: app.clientId,
      approved: decided.approved,
      pending: findPending(context, after),
      approved_hooks: decided.approvedHooks,
      pending_hooks: findPendingHooks(context, after),
    });
  },
};
