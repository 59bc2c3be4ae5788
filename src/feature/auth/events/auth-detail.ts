import type { EventContribution } from '../../../plan/feature.ts';
import { findReadRow } from '../../../plan/person.ts';
import { toAccount } from '../account.ts';
import { NOBODY } from '../errors.ts';
import { findAsked } from '../find-asked.ts';
import { type AuthRow, findAccount } from '../sql.ts';

export const authDetail: EventContribution = {
  event: 'auth-detail',
  description: 'Finds an account.',
  stage: {
    auth_id: 'Its id, or use `auth_slug` or `profile_id`.',
    auth_slug: 'Its e-mail address.',
    profile_id: 'Id of its profile.',
  },
  results: 'The account and its profile in one row, without the password.',
  listen: (context) => async (request, response) => {
    const { database } = context.services;
    const read = findReadRow(request) as AuthRow | undefined;
    const find: typeof findAccount = (...given) =>
      read !== undefined && read[given[1]] === given[2] ? Promise.resolve(read) : findAccount(...given);
    const account = await findAsked(database, request, find, true);
    if (!account) return response.refuse(NOBODY);
    response.succeed(toAccount(context.plan.model, account, undefined));
  },
};
