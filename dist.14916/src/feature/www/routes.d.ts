import type { RouteContribution } from '../../plan/feature.ts';
/** Routes of every project; the project's own routes with the same path run first. */
export declare function listRoutes(isDevelopment: boolean): RouteContribution[];
