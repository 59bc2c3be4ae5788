import type { Settings } from '../../model/shape.ts';
import type { RouteContribution } from '../../plan/feature.ts';
/** Routes for visitors; if sign-up is closed, its two routes do not exist. */
export declare function routes(settings: Settings): RouteContribution[];
