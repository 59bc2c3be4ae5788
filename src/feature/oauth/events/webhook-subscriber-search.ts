import { toSeconds } from '../../../core/clock.ts';
import type { HookModel } from '../../../model/model.ts';
import type { CallPlan, Context, EventContribution } from '../../../plan/feature.ts';
import { parseList } from '../app-row.ts';
import { succeed } from '../errors.ts';
import { findLiveScopes } from '../grant-sql.ts';
import { findReceivers } from '../sql.ts';

const WRITES = /^system-(?:model-(?:create|update|remove|restore|import|batch)$|relation-)/;

/** Whether a call of users shows rows: who may only write them hears of none that were written elsewhere. */
const isReading = ({ definition: { access, event } }: CallPlan): boolean => access === 'user' && !WRITES.test(event);

/** The scopes with a user call that reads the rows which a hook is about; undefined where it is about no schema's. */
function listOpening({ plan }: Context, { schema }: HookModel): ReadonlySet<string> | undefined {
  if (schema === undefined) return undefined;
  const calls = plan.calls.filter((call) => call.schema === schema && isReading(call));
  return new Set(calls.flatMap(({ scopes }) => scopes));
}

/** The apps that a user granted what opens such data, as long as a token of that consent lives. */
async function findGranted(context: Context, hook: HookModel, profileId: number): Promise<ReadonlySet<number>> {
  const { database, clock } = context.services;
  const opening = listOpening(context, hook);
  const live = await findLiveScopes(database, profileId, toSeconds(clock.now()));
  const isOpen = (scopes: readonly string[]): boolean => !opening || scopes.some((slug) => opening.has(slug));
  return new Set(live.filter(({ scopes }) => isOpen(parseList(scopes))).map(({ app_id }) => Number(app_id)));
}

export const webhookSubscriberSearch: EventContribution = {
  event: 'webhook-subscriber-search',
  description: 'Finds the apps that a web hook is sent to.',
  stage: {
    hook: 'Name of the web hook.',
    profile_id:
      'The profile that the event is about. A hook for users reaches the apps that this user granted such data, and the apps that he or she owns.',
  },
  results: '`rows`: `app_id`, `client_id`, `url`, `owner_profile_id`, `secret_version`.',
  commits: 'self',
  listen: (context) => async (request, response) => {
    const name = String(request.getStage('hook') ?? '');
    const profileId = Number(request.getStage('profile_id') ?? Number.NaN);
    const hook = context.plan.hooks.find((each) => each.name === name);
    const all = await findReceivers(context.services.database);
    const listing = all.filter((row) => parseList(row.hooks).includes(name));
    const isForUser = hook?.definition.audience === 'user';
    const isNobody = isForUser && !Number.isSafeInteger(profileId);
    const granted =
      isForUser && !isNobody && listing.length > 0 ? await findGranted(context, hook, profileId) : new Set<number>();
    const rows = listing
      .filter((row) => !isForUser || row.owner_profile_id === profileId || granted.has(Number(row.app_id)))
      .map(({ app_id, client_id, webhook, owner_profile_id, secret_version }) => ({
        app_id,
        client_id,
        url: webhook,
        owner_profile_id,
        secret_version,
      }));
    succeed(response, { rows });
  },
};
