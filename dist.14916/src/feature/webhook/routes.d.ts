import type { RouteContribution } from '../../plan/feature.ts';
/** Pages of the developer section about an app's web hooks. */
export declare const developerRoutes: readonly RouteContribution[];
/** Page that shows sent events to the project's developer; in development only. */
export declare const inboxRoutes: readonly RouteContribution[];
