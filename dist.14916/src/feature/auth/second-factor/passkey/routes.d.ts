import type { RouteContribution } from '../../../../plan/feature.ts';
export declare const passkeyRoutes: readonly RouteContribution[];
