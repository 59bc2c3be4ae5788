import { getAccess } from '../../../core/access.ts';
import type { Request } from '../../../core/request/request.ts';
import type { Response } from '../../../core/request/response.ts';
import { findRoleError, parseRoles } from '../../../model/role/role.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { readText } from '../account/account.ts';
import { changeAccount, KEEPS_ADMINISTRATOR } from '../account/change-account.ts';
import { invalid, NOBODY } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';

async function changeRoles(context: Context, request: Request, response: Response): Promise<void> {
  if (request.callFacts !== undefined || getAccess().kind !== 'system') {
    return response.refuse({ status: 403, message: 'Only the command line and administrators change roles.' });
  }
  const { model } = context.plan;
  const [added, removed] = [readText(request.getStage('add')), readText(request.getStage('remove'))];
  if (added === '' && removed === '') return response.refuse(invalid({ add: 'Name a role to add or remove' }));
  // A role whose file is gone can still be taken away.
  const error = added === '' ? undefined : findRoleError(model, [added]);
  if (error !== undefined) return response.refuse(invalid({ add: error }));
  const auth = await findSelectedAuth(context.services.database, request);
  if (!auth) return response.refuse(NOBODY);
  const roles = new Set(parseRoles(auth.auth_type));
  if (removed !== '' && !roles.has(removed))
    return response.refuse(invalid({ remove: 'Is not a role of the account' }));
  roles.delete(removed);
  if (added !== '') roles.add(added);
  const changes = { auth_type: [...roles].join(',') };
  await changeAccount(context, { request, response }, { event: 'auth-role', changes, isEndingSessions: false });
}

export const authRole: EventContribution = {
  name: 'auth-role',
  description: 'Adds a role to an account or removes one. For the command line and administrators only.',
  stage: {
    auth_id: 'The account, or use `auth_slug`.',
    auth_slug: 'Its e-mail address.',
    add: 'Slug of a role to add.',
    remove: 'Slug of a role to remove.',
    keeps_administrator: KEEPS_ADMINISTRATOR,
  },
  results: 'The account and its profile in one row, without the password.',
  kind: 'self',
  listen: (context) => (request, response) => changeRoles(context, request, response),
};
