import * as z from 'zod';
import type { Listener } from '../../../core/bus/followers.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Row } from '../../../database/row-statement.ts';
import { listComputed, withComputed } from '../../../model/computed.ts';
import type { SchemaModel } from '../../../model/model.ts';
import { defineRowEvent } from '../../../plan/event/event.ts';
import { row } from '../../../plan/event/value.ts';
import type { Context } from '../../../plan/feature.ts';
import { getOwnFacts } from '../../../plan/own-facts.ts';
import { SearchError } from '../../../store/read/answer.ts';
import { isGiven } from '../../../store/read/parse/draft.ts';
import { AGGREGATE_PARAMETERS, findUnknownNames } from '../../../store/read/parse/search-parameters.ts';
import type { SearchOptions } from '../../../store/read/search.ts';
import { getSearcher } from '../../../store/read/searcher.ts';
import { toWrongSearch } from '../errors.ts';
import { findSchema, isRemovedOpen, needReach, type Stage } from '../stage.ts';
import { searchKeys } from '../stage-docs.ts';
import { openUnowned } from '../unowned.ts';

/**
 * Names that a REST call adds to a search's parameters: those of the path, of its definition, and the user's
 * profile.
 */
function listAllowed(request: Request): Set<string> {
  return new Set(['schema', 'profile_id', ...Object.keys(request.getParameters()), ...listOpen(request)]);
}

/** The grouping parameters that the REST call opens. */
function listOpen(request: Request): readonly string[] {
  return request.callFacts?.aggregate ?? [];
}

/**
 * The stage without the grouping parameters that the visitor may not use. A page's query string is in the stage
 * too; groups are for the project's own code and for calls that open them.
 */
function createSearchInput(request: Request, stage: Stage): Stage {
  const open = listOpen(request);
  const refused = AGGREGATE_PARAMETERS.filter(
    (name) => Object.hasOwn(stage, name) && !open.includes(name) && request.isBrought(name),
  );
  if (refused.length === 0) return stage;
  return Object.fromEntries(Object.entries(stage).filter(([name]) => !refused.includes(name)));
}

/** Adds computed fields to rows, unless columns were selected: a formula could lack one of its columns. */
function addComputed<T extends { readonly rows?: unknown }>(schema: SchemaModel, found: T, { fields }: Stage): T {
  if (listComputed(schema).length === 0 || isGiven(fields) || !Array.isArray(found.rows)) return found;
  return { ...found, rows: (found.rows as Row[]).map((row) => withComputed(schema, row)) };
}

const listenSearch = (context: Context): Listener =>
  async function search(request, response) {
    const schema = findSchema(context, request, response);
    if (!schema) return;
    const stage = request.getStage() as Stage;
    const isCall = request.callFacts !== undefined;
    if (isCall) {
      const unknown = findUnknownNames(request.getGet() as Stage, listAllowed(request));
      if (Object.keys(unknown).length > 0) return response.refuse(toWrongSearch(unknown));
    }
    const { model } = context.plan;
    const granted = needReach(context, schema.name, 'search', response);
    const reach = granted && openUnowned(context, schema, request, granted);
    if (!reach) return;
    const options: SearchOptions = {
      ...reach,
      isFromClient: (...path) => request.isBrought(...path),
      isRemovedOpen: isRemovedOpen(request),
      part: getOwnFacts(request).part,
    };
    const input = createSearchInput(request, stage);
    try {
      const found = await getSearcher(model).search(context.services.database, schema.name, input, options);
      response.succeed(addComputed(schema, found, stage));
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      response.refuse(toWrongSearch(error.validation));
    }
  };

export const systemModelSearch = defineRowEvent({
  name: 'system-model-search',
  description: 'Searches the rows of a schema.',
  keys: searchKeys,
  results: () =>
    z
      .looseObject({ rows: z.array(row()) })
      .describe(
        '`rows` (for groups: their columns, `count`, `total` for a sum, and `average`); `total`: the number of rows on all pages; `total_more`: true if the count stopped before; `next` and `previous`: cursors of the next and the previous page, if they exist.',
      ),
  kind: 'reads',
  listen: listenSearch,
});
