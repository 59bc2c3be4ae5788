import type { EventContribution } from '../../../plan/feature.ts';
import { type FindOutbox } from '../outbox.ts';
export declare const webhookTest: (findOutbox: FindOutbox) => EventContribution;
