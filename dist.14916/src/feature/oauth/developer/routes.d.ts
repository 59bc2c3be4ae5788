import type { RouteContribution } from '../../../plan/feature.ts';
export declare const developerRoutes: readonly RouteContribution[];
