import type { Feature } from '../../plan/feature.ts';
/** Mail: queued with the data, sent by a worker, shown in an outbox during development. */
export declare const mail: Feature;
