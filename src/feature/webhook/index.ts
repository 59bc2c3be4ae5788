import type { Feature } from '../../plan/feature.ts';
import { contributeWebhooks } from './plan.ts';

/** Web hooks: events are saved with the data, signed, sent in the background, and retried. */
export const webhook: Feature = { name: 'webhook', contribute: contributeWebhooks };
