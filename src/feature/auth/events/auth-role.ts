import * as z from 'zod';
import { getAccess } from '../../../core/access.ts';
import { findRoleError, parseRoles } from '../../../model/role/role.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { onlyText } from '../../../plan/event/value.ts';
import { accountKeys, accountRow } from '../account/account-stage.ts';
import { changeAccount, keepsAdministrator } from '../account/change-account.ts';
import { invalid, NOBODY } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';

export const authRole = defineEvent({
  name: 'auth-role',
  description: 'Adds a role to an account or removes one. For the command line and administrators only.',
  kind: 'self',
  stage: () =>
    z.object({
      ...accountKeys(),
      add: onlyText('Slug of a role to add.'),
      remove: onlyText('Slug of a role to remove.'),
      keeps_administrator: keepsAdministrator(),
    }),
  results: accountRow,
  async run({ add: added = '', remove: removed = '', ...stage }, context, exchange) {
    if (exchange.request.callFacts !== undefined || getAccess().kind !== 'system') {
      return reject({
        status: 403,
        code: 'EVENT_NOT_BY_REQUEST',
        message: 'Only the command line and administrators change roles.',
      });
    }
    if (added === '' && removed === '') return invalid({ add: 'Name a role to add or remove' });
    // An account may hold a role that has no file any more: that can be removed, too.
    const error = added === '' ? undefined : findRoleError(context.plan.model, [added]);
    if (error !== undefined) return invalid({ add: error });
    const auth = await findSelectedAuth(context.services.database, stage);
    if (!auth) return reject(NOBODY);
    const roles = new Set(parseRoles(auth.auth_type));
    if (removed !== '' && !roles.has(removed)) return invalid({ remove: 'Is not a role of the account' });
    roles.delete(removed);
    if (added !== '') roles.add(added);
    return changeAccount(context, exchange, { ...stage, changes: { auth_type: [...roles].join(',') } });
  },
});
