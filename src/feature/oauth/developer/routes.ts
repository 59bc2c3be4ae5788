import { createRoute } from '../../../page/exchange.ts';
import type { RouteContribution } from '../../../plan/feature.ts';
import { postSession, showDetail, showRequests, showSessions } from './detail.ts';
import {
  openCreate,
  openUpdate,
  postCreate,
  postRefresh,
  postRemove,
  postResume,
  postStop,
  postUpdate,
} from './form.ts';
import { LIST, showApps } from './list.ts';
import { postSandbox, postSandboxRemove } from './sandbox.ts';
import { openTry, postExchange, postTry } from './try.ts';

export const developerRoutes: readonly RouteContribution[] = [
  createRoute('GET', LIST, 'The apps of the logged-in user.', showApps),
  createRoute('GET', '/developer/app/create', 'The form that registers an app.', openCreate),
  createRoute('POST', '/developer/app/create', 'Registers an app and shows its secret once.', postCreate),
  createRoute('GET', '/developer/app/detail/:app_id', "An app's credentials, permissions and requests.", showDetail),
  createRoute('GET', '/developer/app/update/:app_id', 'The form that changes an app.', openUpdate),
  createRoute('POST', '/developer/app/update/:app_id', 'Changes an app.', postUpdate),
  createRoute('POST', '/developer/app/refresh/:app_id', 'Gives an app a new secret and shows it once.', postRefresh),
  createRoute('POST', '/developer/app/stop/:app_id', 'Stops an app that the user owns.', postStop),
  createRoute('POST', '/developer/app/resume/:app_id', 'Resumes a stopped app.', postResume),
  createRoute('POST', '/developer/app/remove/:app_id', 'Removes an app.', postRemove),
  createRoute(
    'POST',
    '/developer/app/sandbox/:app_id',
    "Makes an app's sandbox and shows its secrets once.",
    postSandbox,
  ),
  createRoute('POST', '/developer/app/sandbox-remove/:app_id', "Throws an app's sandbox away.", postSandboxRemove),
  createRoute('GET', '/developer/app/request/:app_id', "An app's last 100 requests.", showRequests),
  createRoute('GET', '/developer/app/session/:app_id', "An app's users and what they granted.", showSessions),
  createRoute('POST', '/developer/app/session/:app_id', 'Ends a session of an app, or all.', postSession),
  createRoute('GET', '/developer/app/try/:app_id', 'Tries the flow; codes of a trial come back here.', openTry),
  createRoute('POST', '/developer/app/try/:app_id', 'Starts a trial and redirects to the dialog.', postTry),
  createRoute(
    'POST',
    '/developer/app/exchange/:app_id',
    "Exchanges a trial's code and makes a first call.",
    postExchange,
  ),
];
