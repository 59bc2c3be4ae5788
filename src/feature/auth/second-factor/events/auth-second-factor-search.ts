import { columnToStamp } from '../../../../core/clock.ts';
import type { Row } from '../../../../database/row-statement.ts';
import type { EventContribution } from '../../../../plan/feature.ts';
import { NOBODY } from '../../errors.ts';
import { findSelectedAuth } from '../../find-requested.ts';
import { findTotp } from '../factors.ts';
import { listPasskeys } from '../passkey/sql.ts';
import { countRecovery } from '../recovery.ts';
import { listTrusted } from '../trusted-device.ts';

export const authSecondFactorSearch: EventContribution = {
  name: 'auth-second-factor-search',
  description: 'Lists the second factors of an account, without their secrets.',
  stage: { auth_id: 'The account, or use `auth_slug`.', auth_slug: 'Its e-mail address.' },
  results:
    '`rows`, each with `kind` (`totp` or `passkey`), `id`, `name`, `created` and `used`; `recovery_codes`, how many are left; `devices` that need no second step.',
  kind: 'silent',
  listen:
    ({ services }) =>
    async (request, response) => {
      const auth = await findSelectedAuth(services.database, request);
      if (!auth) return response.refuse(NOBODY);
      const totp = await findTotp(services, auth.auth_id);
      const passkeys = await listPasskeys(services, auth.auth_id);
      const rows: Row[] = [
        ...(totp ? [{ kind: 'totp', id: Number(totp.totp_id), name: 'Authenticator app', ...totp }] : []),
        ...passkeys.map((row) => ({ kind: 'passkey', id: Number(row.passkey_id), name: row.name, ...row })),
      ].map(({ kind, id, name, created_at, used_at }: Row) => ({
        kind,
        id,
        name,
        created: columnToStamp(created_at),
        used: columnToStamp(used_at),
      }));
      const recovery_codes = await countRecovery(services, auth.auth_id);
      response.succeed({ rows, recovery_codes, devices: await listTrusted(services, auth.auth_id) });
    },
};
