import { toRoute } from '../../../page/exchange.ts';
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
import { openTry, postExchange, postTry } from './try.ts';

export const developerRoutes: readonly RouteContribution[] = [
  toRoute('GET', LIST, 'The apps of the logged-in user.', showApps),
  toRoute('GET', '/developer/app/create', 'The form that registers an app.', openCreate),
  toRoute('POST', '/developer/app/create', 'Registers an app and shows its secret once.', postCreate),
  toRoute('GET', '/developer/app/detail/:app_id', "An app's credentials, permissions and requests.", showDetail),
  toRoute('GET', '/developer/app/update/:app_id', 'The form that changes an app.', openUpdate),
  toRoute('POST', '/developer/app/update/:app_id', 'Changes an app.', postUpdate),
  toRoute('POST', '/developer/app/refresh/:app_id', 'Gives an app a new secret and shows it once.', postRefresh),
  toRoute('POST', '/developer/app/stop/:app_id', 'Stops an app that the user owns.', postStop),
  toRoute('POST', '/developer/app/resume/:app_id', 'Resumes a stopped app.', postResume),
  toRoute('POST', '/developer/app/remove/:app_id', 'Removes an app.', postRemove),
  toRoute('GET', '/developer/app/request/:app_id', "An app's last 100 requests.", showRequests),
  toRoute('GET', '/developer/app/session/:app_id', "An app's users and what they granted.", showSessions),
  toRoute('POST', '/developer/app/session/:app_id', 'Ends a session of an app, or all.', postSession),
  toRoute('GET', '/developer/app/try/:app_id', 'Tries the flow; codes of a trial come back here.', openTry),
  toRoute('POST', '/developer/app/try/:app_id', 'Starts a trial and redirects to the dialog.', postTry),
  toRoute('POST', '/developer/app/exchange/:app_id', "Exchanges a trial's code and makes a first call.", postExchange),
];
