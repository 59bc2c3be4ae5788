import type { RouteContribution } from '../../plan/feature.ts';
export declare const dataRoutes: readonly RouteContribution[];
