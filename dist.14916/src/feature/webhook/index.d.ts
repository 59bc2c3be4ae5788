import type { Feature } from '../../plan/feature.ts';
/** Web hooks: events are saved with the data, signed, sent in the background, and retried. */
export declare const webhook: Feature;
