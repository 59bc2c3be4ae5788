import type { RouteContribution } from '../../plan/feature.ts';
export declare const sessionRoutes: readonly RouteContribution[];
