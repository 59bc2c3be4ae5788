import type { Feature } from '../../plan/feature.ts';
import { contributeMail } from './plan.ts';

/** Mail: queued with the data, sent by a worker, shown in an outbox during development. */
export const mail: Feature = { name: 'mail', contribute: contributeMail };
