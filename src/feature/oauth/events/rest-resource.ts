import * as z from 'zod';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import type { Row } from '../../../database/row-statement.ts';
import { defineEvent, reject } from '../../../plan/event/event.ts';
import { lookupId } from '../../../plan/event/value.ts';

export const restResource = defineEvent({
  name: 'rest-resource',
  description: 'Finds the user of a profile, as far as `auth-detail` shows the account.',
  kind: 'reads',
  stage: () => z.object({ profile_id: lookupId('The profile.') }),
  // What `auth-detail` does not show is left out.
  results: () =>
    z
      .object({ id: z.unknown(), email: z.unknown(), name: z.unknown(), created: z.unknown() })
      .describe('`id`, `email`, `name`, `created`.'),
  async run({ profile_id }, context) {
    const profileRequest = new Request().setStage({ profile_id });
    const found = new Response(profileRequest);
    await context.emit('auth-detail', profileRequest, found);
    const user = found.isError() ? undefined : found.getResults<Row | undefined>();
    if (user === undefined || (user.auth_active ?? 1) !== 1)
      return reject({ status: 404, code: 'ACCOUNT_MISSING', message: 'No resource found' });
    return { id: user.auth_id, email: user.auth_slug, name: user.profile_name, created: user.auth_created };
  },
});
