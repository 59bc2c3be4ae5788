import { createRoute } from '../../page/exchange.ts';
import type { RouteContribution } from '../../plan/feature.ts';
import { INBOX, openInbox, postInbox } from './delivery/inbox.ts';
import { openDelivery, postDelivery } from './developer/delivery.ts';
import { openApp, postApp } from './developer/hook.ts';

const APP = '/developer/app/webhook/:app_id';

/** Pages of the developer section about an app's web hooks. */
export const developerRoutes: readonly RouteContribution[] = [
  createRoute('GET', APP, "An app's web hooks: their state and deliveries.", openApp),
  createRoute('POST', APP, 'Enables, disables, tests or sends again.', postApp),
  createRoute('GET', `${APP}/:delivery_id`, 'One delivery with its payload and every attempt.', openDelivery),
  createRoute('POST', `${APP}/:delivery_id`, 'Sends a delivery again.', postDelivery),
];

/** Page that shows sent events to the project's developer; in development only. */
export const inboxRoutes: readonly RouteContribution[] = [
  createRoute('GET', INBOX, 'What the web hooks report, as it happens; in `treadle dev` only.', openInbox),
  createRoute('POST', INBOX, 'Sends an event again, or a trial event; in `treadle dev` only.', postInbox),
];
