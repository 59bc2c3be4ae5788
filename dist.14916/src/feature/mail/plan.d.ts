import type { Contribution, Facts } from '../../plan/feature.ts';
/** Contributes mail: its table, events and worker, and in development the page that shows it. */
export declare function contributeMail({ isDevelopment }: Facts): Contribution;
