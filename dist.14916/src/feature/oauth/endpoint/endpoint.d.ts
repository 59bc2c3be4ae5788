import type { RouteContribution } from '../../../plan/feature.ts';
export declare const toTokenEndpoint: (path: string) => RouteContribution[];
export declare const endpointRoutes: readonly RouteContribution[];
