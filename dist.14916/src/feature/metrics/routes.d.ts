import type { RouteContribution } from '../../plan/feature.ts';
export declare const routes: readonly RouteContribution[];
