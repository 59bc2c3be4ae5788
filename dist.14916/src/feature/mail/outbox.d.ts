import type { RouteContribution } from '../../plan/feature.ts';
/** Pages that show a developer what the site would send; in development only. */
export declare const outboxRoutes: readonly RouteContribution[];
