import type { RouteContribution } from '../../plan/feature.ts';
export declare const accountRoutes: readonly RouteContribution[];
