import type { Model } from '../../model/model.ts';
import type { Json } from '../../model/value-schema.ts';
import type { CallPlan } from '../../plan/feature.ts';
/** The credentials that the API accepts. Stricter values of `oauth.mode` allow fewer in the query. */
export declare function toSecuritySchemes(model: Model, baseUrl: string): Record<string, Json>;
/** The credentials that one call accepts: any one of the list; an empty list needs none. */
export declare function toSecurity(call: CallPlan, model: Model, isRead: boolean): Json[];
