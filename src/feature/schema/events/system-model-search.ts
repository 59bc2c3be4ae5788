import type { Listener } from '../../../core/bus.ts';
import type { Request } from '../../../core/request.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { findUnknownNames } from '../../../query/search.ts';
import { getSearcher, SearchError } from '../../../query/searcher.ts';
import { fail, succeed, toInvalid } from '../errors.ts';
import { findSchema, getRestriction, type Stage } from '../stage.ts';
import { searchStage } from '../stage-words.ts';

/** Names that a REST call puts beside a search's parameters: the path's, its definition's, the user's profile. */
export function listAllowed(request: Request): Set<string> {
  return new Set(['schema', 'profile_id', ...Object.keys(request.getParameters())]);
}

const listenSearch = (context: Context): Listener =>
  async function search(request, response) {
    const schema = findSchema(context, request, response);
    if (!schema) return;
    const stage = request.getStage() as Stage;
    if (request.get('strict') === true) {
      const unknown = findUnknownNames(request.getGet() as Stage, listAllowed(request));
      if (Object.keys(unknown).length > 0) return fail(response, toInvalid(unknown, 400));
    }
    const { model } = context.plan;
    const options = { profileId: getRestriction(request)?.profileId };
    try {
      const found = await getSearcher(model).search(context.services.database, schema.name, stage, options);
      succeed(response, found);
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      fail(response, toInvalid(error.validation, error.status));
    }
  };

export const systemModelSearch: EventContribution = {
  event: 'system-model-search',
  description: 'Searches the rows of a schema.',
  stage: searchStage,
  results:
    '`rows`; `total`: how many there are on all pages; `next` and `previous`: cursors, where there are such pages.',
  listen: listenSearch,
};
