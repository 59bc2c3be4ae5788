import type { EventContribution } from '../../../plan/feature.ts';
import type { FindOutbox } from '../outbox.ts';
export declare const webhookFigures: (findOutbox: FindOutbox) => EventContribution;
