import type { EventContribution, RouteContribution } from '../../../plan/feature.ts';
export declare const secondFactorEvents: readonly EventContribution[];
export declare const allSecondFactorRoutes: readonly RouteContribution[];
