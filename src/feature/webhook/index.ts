import type { Feature } from '../../plan/feature.ts';
import { contributeWebhooks } from './plan.ts';

/** Tells receivers what happened: recorded with the data, signed, sent beside the requests, tried again. */
export const webhook: Feature = { name: 'webhook', contribute: contributeWebhooks };
