import * as z from 'zod';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import { translate } from '../../../core/text/translate.ts';
import { toFile } from '../../../model/shape.ts';
import { defineEvent, Rejection, reject } from '../../../plan/event/event.ts';
import { tick } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
import { findPending } from '../client/allowed-scopes.ts';
import { anyAppStage, findAnyApp } from '../client/any-app.ts';
import { appIds, type ClientApp, toAppIds } from '../client/app-row.ts';
import { findPendingHooks } from '../client/subscribed-hooks.ts';
import { lockApp, updateApp } from '../sql.ts';

const OF_FILE = 'it gets what the file lists, without approval.';

/** Names in a list, or in a text with commas or blanks between them. */
const names = (description: string) =>
  z
    .custom<string | readonly string[]>()
    .meta({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })
    .optional()
    .transform((value) =>
      [value]
        .flat()
        .flatMap((item) => (typeof item === 'string' ? item.split(/[\s,]+/) : []))
        .filter((name) => name !== ''),
    )
    .describe(description);

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
 * Why one of the names cannot be approved; undefined if all can. Approval can always be taken back, even for
 * names no longer defined, because something else may be defined under the name later.
 */
function findOddName(
  { plan: { model, hooks } }: Context,
  app: ClientApp,
  approval: ApprovalRequest,
): string | undefined {
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
  return [...scopes, ...named].find((error) => error !== undefined);
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

export const appApprove = defineEvent({
  name: 'app-approve',
  description: 'Approves scopes and web hooks for an app that was registered in the browser. For administrators.',
  kind: 'writes',
  stage: () =>
    z.object({
      ...anyAppStage(),
      scopes: names('Slugs of the scopes to approve.'),
      hooks: names(
        'Names of the web hooks to approve. Without `scopes` and `hooks`: everything that the app waits for.',
      ),
      revoke: tick(
        '`1` withdraws the approval: tokens lose these scopes at once, and these web hooks are no longer sent.',
      ),
    }),
  results: () =>
    z
      .object({
        ...appIds(),
        approved: z.array(z.string()),
        pending: z.array(z.string()),
        approved_hooks: z.array(z.string()),
        pending_hooks: z.array(z.string()),
      })
      .describe(
        '`app_id`, `client_id`; scopes: `approved` and `pending`; web hooks: `approved_hooks` and `pending_hooks`.',
      ),
  async run({ scopes, hooks, revoke, ...choice }, context) {
    const { database } = context.services;
    const app = await findAnyApp(context, choice, { remedy: OF_FILE });
    if (app instanceof Rejection) return app;
    const approval = { scopes, hooks, isTakingBack: revoke };
    const message = findOddName(context, app, approval);
    if (message !== undefined) return reject({ status: 422, code: 'VALIDATION_FAILED', message });
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
    return {
      ...toAppIds(app),
      approved: decided.approved,
      pending: findPending(context, after),
      approved_hooks: decided.approvedHooks,
      pending_hooks: findPendingHooks(context, after),
    };
  },
});
