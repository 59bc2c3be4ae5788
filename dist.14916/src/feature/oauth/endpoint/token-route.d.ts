import type { RouteContribution } from '../../../plan/feature.ts';
export declare const tokenRoutes: readonly RouteContribution[];
