import type { Settings } from '../../../model/shape.ts';
import type { RouteContribution } from '../../../plan/feature.ts';
/** Routes of sign-in providers; none without providers in the settings. */
export declare function toProviderRoutes(settings: Settings): readonly RouteContribution[];
