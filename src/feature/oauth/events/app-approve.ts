import type { Response } from '../../../core/response.ts';
import { toDidYouMean } from '../../../core/suggest.ts';
import { toFile } from '../../../model/shape.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { findAnyApp } from '../any-app.ts';
import type { ClientApp } from '../app-row.ts';
import { refuse, succeed } from '../errors.ts';
import { findPendingHooks } from '../held-hooks.ts';
import { findPending } from '../held-scopes.ts';
import { lockApp, updateApp } from '../sql.ts';

const OF_FILE = 'it has what it lists there, and needs no approval.';

const readNames = (value: unknown): string[] =>
  [value]
    .flat()
    .flatMap((item) => (typeof item === 'string' ? item.split(/[\s,]+/) : []))
    .filter((name) => name !== '');

/** What an admin decides of. */
interface Asked {
  readonly scopes: readonly string[];
  readonly hooks: readonly string[];
  readonly isTakingBack: boolean;
}

/** What a name stands for, where it is defined. */
interface Named {
  readonly file: string;
  readonly definition: { readonly approval?: boolean | undefined };
}

/** Why a scope or web hook cannot be approved; undefined where it can. */
function findFault(word: string, name: string, found: Named | undefined, names: readonly string[]): string | undefined {
  if (found === undefined) return `There is no ${word} "${name}". ${toDidYouMean(name, names)}`.trim();
  if (found.definition.approval === true) return undefined;
  const remedy = `For it to need one, write "approval": true in ${found.file}.`;
  return `The ${word} "${name}" needs no approval: every app that lists it has it. ${remedy}`;
}

/**
 * Says which of the names cannot be approved; true where one cannot. What an app holds can be taken back, whatever is
 * defined by now: under that name something else may come to be.
 */
function refuseOdd({ plan: { model, hooks } }: Context, app: ClientApp, asked: Asked, response: Response): boolean {
  const isHeld = (names: readonly string[], name: string): boolean => asked.isTakingBack && names.includes(name);
  const scopes = asked.scopes
    .filter((slug) => !isHeld(app.approved, slug))
    .map((slug) => {
      const scope = model.scopes.get(slug);
      const named = scope && { file: toFile('scope', slug), definition: scope.definition };
      return findFault('scope', slug, named, [...model.scopes.keys()]);
    });
  const named = asked.hooks
    .filter((name) => !isHeld(app.approvedHooks, name))
    .map((name) => {
      const hook = hooks.find((each) => each.name === name);
      return findFault(
        'web hook',
        name,
        hook,
        hooks.map((each) => each.name),
      );
    });
  const message = [...scopes, ...named].find((fault) => fault !== undefined);
  if (message === undefined) return false;
  refuse(response, { status: 422, message });
  return true;
}

/** What is approved after it. */
function decide(context: Context, app: ClientApp, { scopes, hooks, isTakingBack }: Asked) {
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
  event: 'app-approve',
  description:
    'Lets an app that was registered in the browser use scopes and hear of web hooks that need approval; for an admin.',
  stage: {
    app_id: 'The app, or instead:',
    client_id: 'Its client id.',
    scopes: 'Slugs of scopes,',
    hooks: 'and names of web hooks; without any of both, all that it waits for.',
    revoke: '`1` takes the approval back: tokens lose those scopes at once, and those web hooks are sent no more.',
  },
  results:
    '`app_id`, `client_id`, of scopes `approved` and `pending`, of web hooks `approved_hooks` and `pending_hooks`.',
  listen: (context) => async (request, response) => {
    const { database } = context.services;
    const app = await findAnyApp(context, request, response, { remedy: OF_FILE });
    if (!app) return;
    const asked = {
      scopes: readNames(request.getStage('scopes')),
      hooks: readNames(request.getStage('hooks')),
      isTakingBack: ['1', 1, true].includes(request.getStage('revoke') as string),
    };
    if (refuseOdd(context, app, asked, response)) return;
    const decided = await database.write(async () => {
      // Another admin may decide of something else meanwhile.
      const after = decide(context, (await lockApp(database, app.appId)) ?? app, asked);
      await updateApp(database, app.appId, {
        approved: JSON.stringify(after.approved),
        approved_hooks: JSON.stringify(after.approvedHooks),
      });
      return after;
    });
    const after = { ...app, ...decided };
    succeed(response, {
      app_id: app.appId,
      client_id: app.clientId,
      approved: decided.approved,
      pending: findPending(context, after),
      approved_hooks: decided.approvedHooks,
      pending_hooks: findPendingHooks(context, after),
    });
  },
};
