import type { EventContribution } from '../../../plan/feature.ts';
/**
 * Creates the handler that suspends or resumes an app registered in the browser. An owner cannot resume
 * what the operator suspended.
 */
export declare const setActive: (isActive: boolean) => EventContribution['listen'];
