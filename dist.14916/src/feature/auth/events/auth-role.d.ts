import type { EventContribution } from '../../../plan/feature.ts';
export declare const authRole: EventContribution;
