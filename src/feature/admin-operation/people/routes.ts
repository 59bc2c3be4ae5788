import { createRoute } from '../../../page/exchange.ts';
import type { RouteContribution } from '../../../plan/feature.ts';
import { postAction } from './act.ts';
import { showPerson } from './detail.ts';
import { postInvite, showInvite } from './invite.ts';
import { showPeople } from './search.ts';

/** Pages of the people with an account. */
export const peopleRoutes: readonly RouteContribution[] = [
  createRoute('GET', '/admin/user/search', 'Lists the people with an account.', showPeople),
  createRoute('GET', '/admin/user/detail/:auth_id', 'One account, with its roles, sessions and apps.', showPerson),
  createRoute('GET', '/admin/user/invite', 'The form that invites a person.', showInvite),
  createRoute('POST', '/admin/user/invite', 'Invites a person by mail.', postInvite),
  createRoute('POST', '/admin/user/:action/:auth_id', 'Changes an account.', postAction),
];
