import * as z from 'zod';
import { findReadRow } from '../../../access/person.ts';
import type { Request } from '../../../core/request/request.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { toAccount } from '../account/account.ts';
import { accountKeys, rowId } from '../account/account-stage.ts';
import { showAccounts } from '../account/shown-account.ts';
import { NOBODY } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { type AuthRow, findAccount } from '../sql.ts';

const isByEmail = (request: Request): boolean => !request.hasStage('auth_id') && request.hasStage('auth_slug');

export const authDetail: EventContribution = {
  name: 'auth-detail',
  description:
    'Finds an account. Inside a request a person sees the own one, and of others what the rules for profiles show: e-mail and roles only who may open `/admin/user`.',
  stage: {
    auth_id: 'Its id, or use `auth_slug` or `profile_id`.',
    auth_slug: 'Its e-mail address.',
    profile_id: 'Id of its profile.',
  },
  results: 'The account and its profile in one row, without the password.',
  kind: 'reads',
  listen: (context) => async (request, response) => {
    const { database } = context.services;
    const read = findReadRow(request) as AuthRow | undefined;
    const find: typeof findAccount = (...given) =>
      read !== undefined && read[given[1]] === given[2] ? Promise.resolve(read) : findAccount(...given);
    const selection = z.object({ ...accountKeys(), profile_id: rowId('') }).parse(request.getStage());
    const account = await findSelectedAuth(database, selection, find);
    if (!account) return response.refuse(NOBODY);
    const [shown] = await showAccounts(context, [toAccount(context, account, undefined)]);
    // Who may not see an e-mail address learns by it of no account.
    const isHidden = shown === undefined || (isByEmail(request) && shown.auth_slug === undefined);
    if (isHidden) return response.refuse(NOBODY);
    response.succeed(shown);
  },
};
