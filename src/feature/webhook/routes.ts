import { toRoute } from '../../plan/developer-frame.ts';
import type { RouteContribution } from '../../plan/feature.ts';
import { openDelivery, postDelivery } from './developer-delivery.ts';
import { openApp, postApp } from './developer-hook.ts';
import { INBOX, openInbox, postInbox } from './inbox.ts';

const APP = '/developer/app/webhook/:app_id';

/** The part of the developer section that shows an app's web hooks. */
export const developerRoutes: readonly RouteContribution[] = [
  toRoute('GET', APP, "An app's web hooks: how each stands, and what was sent.", openApp),
  toRoute('POST', APP, 'Enables, disables, tests or sends again.', postApp),
  toRoute('GET', `${APP}/:delivery_id`, 'One delivery with its payload and every attempt.', openDelivery),
  toRoute('POST', `${APP}/:delivery_id`, 'Sends a delivery again.', postDelivery),
];

/** Where a developer of the project sees what web hooks report: in development only. */
export const inboxRoutes: readonly RouteContribution[] = [
  toRoute('GET', INBOX, 'What the web hooks report, as it happens; in `treadle dev` only.', openInbox),
  toRoute('POST', INBOX, 'Sends an event again, or a trial event; in `treadle dev` only.', postInbox),
];
