import type { Model } from '../model/model.ts';
import type { Context, Search } from '../plan/feature.ts';
import { createSearcher, type Searcher } from '../query/searcher.ts';

/** The model's search for features that only read; the compiled statements are kept as long as their model. */
export function createSearch(): Search {
  const searchers = new WeakMap<Model, Searcher>();
  const find = ({ plan }: Context): Searcher => {
    const known = searchers.get(plan.model);
    if (known) return known;
    const made = createSearcher(plan.model);
    searchers.set(plan.model, made);
    return made;
  };
  return {
    search: (context, schema, input, restrict) =>
      find(context).search(context.services.database, schema, input, { profileId: restrict?.profileId }),
    detail: (context, schema, column, value, restrict) =>
      find(context).detail(context.services.database, schema, { column, value }, { profileId: restrict?.profileId }),
  };
}
