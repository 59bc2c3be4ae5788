import { getAccess } from '../../../core/access.ts';
import { translate } from '../../../core/text/translate.ts';
import type { SchemaModel } from '../../../model/model.ts';
import type { Exchange } from '../../../page/exchange.ts';
import { mayOpen } from '../../../page/guard.ts';
import type { Context } from '../../../plan/feature.ts';
import { getSearcher } from '../../../store/read/searcher.ts';
import type { Source } from '../../../store/read/source/source.ts';
import { findSchema } from '../find-schema.ts';
import { listOffers, type Offer, toDataPath } from '../offer.ts';

/** A schema whose rows a page shows, with what the viewer may see and do. */
export interface OpenSchema {
  readonly context: Context;
  readonly exchange: Exchange;
  readonly schema: SchemaModel;
  readonly source: Source;
  readonly offer: Offer;
  /** Path of the schema's pages. */
  readonly base: string;
}

/** Opens the schema that the path names for a page of its list. Answers 404 or 403 and gives undefined otherwise. */
export function openSchema(context: Context, exchange: Exchange): OpenSchema | undefined {
  const schema = findSchema(context, exchange);
  if (schema === undefined) return undefined;
  const { name } = schema;
  const access = getAccess();
  const grant = access.grant(name, 'search');
  if (grant === undefined) {
    exchange.response
      .setStatus(403)
      .setError(true, translate('Your role may not search {rows}.', { rows: schema.plural }));
    return undefined;
  }
  const view = { read: grant.read, sure: grant.sure, see: access.related };
  const source = getSearcher(context.plan.model).source(name, view);
  return { context, exchange, schema, source, offer: listOffers(context, schema), base: toDataPath(name) };
}

/** Whether the viewer may open the detail pages of a schema's rows. */
export const mayDetail = (context: Context, schema: SchemaModel): boolean =>
  getAccess().grant(schema.name, 'detail') !== undefined && mayOpen(context, `${toDataPath(schema.name)}/detail/1`);
