import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { HookModel } from '../../../model/model.ts';
import { defineEvent } from '../../../plan/event/event.ts';
import { nullableLookupId, row } from '../../../plan/event/value.ts';
import type { CallPlan, Context } from '../../../plan/feature.ts';
import { isScopeAllowed } from '../client/allowed-scopes.ts';
import { parseList, toOptional } from '../client/app-row.ts';
import { isSubscribed } from '../client/subscribed-hooks.ts';
import { findReceivers } from '../client/subscriber-sql.ts';
import { findLiveScopes } from '../consent/grant-sql.ts';

const WRITES = /^system-(?:model-(?:create|update|remove|restore|import|batch)$|relation-)/;

/** Whether a user call reads rows: a consent that only writes gives no news about rows. */
const isReading = ({ definition: { access, event } }: CallPlan): boolean => access === 'user' && !WRITES.test(event);

/** Scopes with a user call that reads the hook's rows; undefined if the hook is about no schema. */
function listOpening({ plan }: Context, { schema }: HookModel): ReadonlySet<string> | undefined {
  if (schema === undefined) return undefined;
  const calls = plan.calls.filter((call) => call.schema === schema && isReading(call));
  return new Set(calls.flatMap(({ scopes }) => scopes));
}

/** Whether a consent still allows this data: by a granted scope that its app still has. */
function isOpen({ plan: { model } }: Context, consent: Row, opening: ReadonlySet<string> | undefined): boolean {
  const app = {
    name: toOptional(consent.app_name),
    scopes: parseList(consent.app_scopes),
    approved: parseList(consent.app_approved),
  };
  const granted = parseList(consent.scopes);
  const allowed = granted.filter((slug) => isScopeAllowed(model, app, slug));
  if (opening) return allowed.some((slug) => opening.has(slug));
  // A consent without scopes cannot lose any.
  return allowed.length > 0 || granted.length === 0;
}

interface SubscriberQuery {
  readonly hook: HookModel;
  readonly profileId: number;
  /** Only of this app. */
  readonly clientId: string | undefined;
}

/** Apps to which a user granted access to this data, while they have the scope and a valid token. */
async function findGranted(
  context: Context,
  { hook, profileId, clientId }: SubscriberQuery,
): Promise<ReadonlySet<number>> {
  const { database, clock } = context.services;
  const opening = listOpening(context, hook);
  const live = await findLiveScopes(database, { profileId, clientId, now: toSeconds(clock.now()) });
  return new Set(live.filter((consent) => isOpen(context, consent, opening)).map(({ app_id }) => Number(app_id)));
}

/** Receivers of a hook for users: the user's own apps, and those that the user granted access. */
async function findForUser(context: Context, listing: readonly Row[], query: SubscriberQuery): Promise<readonly Row[]> {
  const { profileId } = query;
  // An event without an owner goes to no app of a user.
  if (!Number.isSafeInteger(profileId) || listing.length === 0) return [];
  const granted = await findGranted(context, query);
  return listing.filter((row) => row.owner_profile_id === profileId || granted.has(Number(row.app_id)));
}

/** Whether an app currently receives a web hook. */
const isListening = (context: Context, row: Row, name: string): boolean =>
  isSubscribed(
    context,
    { name: toOptional(row.name), hooks: parseList(row.hooks), approvedHooks: parseList(row.approved_hooks) },
    name,
  );

export const webhookSubscriberSearch = defineEvent({
  name: 'webhook-subscriber-search',
  description: 'Finds the apps that receive a web hook. If the hook needs approval, only approved apps.',
  kind: 'silent',
  stage: () =>
    z.object({
      hook: z.coerce.string<string>().describe('Name of the web hook.'),
      profile_id: nullableLookupId(
        'The profile that the event is about. A hook with the audience `user` goes to apps that this user granted access to such data, while the scope lasts, and to apps that this user owns.',
      ),
      client_id: z.coerce.string<string>().optional().describe('Only the app with this client id.'),
    }),
  results: () =>
    z
      .object({ rows: z.array(row()) })
      .describe('`rows`: `app_id`, `client_id`, `url`, `owner_profile_id`, `secret_version`.'),
  async run({ hook: name, profile_id: profileId, client_id: clientId }, context) {
    const hook = context.plan.hooks.find((each) => each.name === name);
    const all = await findReceivers(context.services.database, name, clientId);
    const listing = all.filter((each) => isListening(context, each, name));
    const isForUser = hook?.definition.audience === 'user';
    const query = hook && { hook, profileId: profileId ?? Number.NaN, clientId };
    const found = isForUser && query ? await findForUser(context, listing, query) : listing;
    const rows = found.map(({ app_id, client_id, webhook, owner_profile_id, secret_version }) => ({
      ...{ app_id, client_id, url: webhook, owner_profile_id, secret_version },
    }));
    return { rows };
  },
});
