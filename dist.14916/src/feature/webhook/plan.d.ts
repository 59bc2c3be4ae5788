import type { Contribution, Facts } from '../../plan/feature.ts';
/** Contributes the web hook feature: tables, event capture, delivery worker, log and pages. */
export declare function contributeWebhooks(facts: Facts): Contribution;
