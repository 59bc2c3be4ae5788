import * as z from 'zod';
import { findReadRow } from '../../../access/person.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { nullableLookupId, onlyText, optionalLookupId } from '../../../plan/event/value.ts';
import { toAccount } from '../account/account.ts';
import { showAccounts } from '../account/shown-account.ts';
import { NOBODY } from '../errors.ts';
import { findSelectedAuth } from '../find-requested.ts';
import { type AuthRow, findAccount } from '../sql.ts';

export const authDetail = defineEvent({
  name: 'auth-detail',
  description:
    'Finds an account. Inside a request a person sees the own one, and of others what the rules for profiles show: e-mail and roles only who may open `/admin/user`.',
  kind: 'reads',
  stage: () =>
    z.object({
      auth_id: nullableLookupId('Its id, or use `auth_slug` or `profile_id`.'),
      auth_slug: onlyText('Its e-mail address.'),
      profile_id: optionalLookupId('Id of its profile.'),
    }),
  results: () => z.looseObject({}).describe('The account and its profile in one row, without the password.'),
  async run(selection, context, { request }) {
    const read = findReadRow(request) as AuthRow | undefined;
    const find: typeof findAccount = (...given) =>
      read !== undefined && read[given[1]] === given[2] ? Promise.resolve(read) : findAccount(...given);
    const account = await findSelectedAuth(context.services.database, selection, find);
    if (!account) return reject(NOBODY);
    const [shown] = await showAccounts(context, [toAccount(context, account, undefined)]);
    const isByEmail = selection.auth_id === undefined && selection.auth_slug !== undefined;
    // Who may not see an e-mail address learns by it of no account.
    const isHidden = shown === undefined || (isByEmail && shown.auth_slug === undefined);
    return isHidden ? reject(NOBODY) : shown;
  },
});
