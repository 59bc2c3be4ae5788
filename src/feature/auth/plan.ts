import type { SystemTable } from '../../database/database.ts';
import { listProviders } from '../../model/provider.ts';
import type { Contribution, Facts } from '../../plan/feature.ts';
import { authCreate } from './events/auth-create.ts';
import { authDelete } from './events/auth-delete.ts';
import { authDetail } from './events/auth-detail.ts';
import { authEmail } from './events/auth-email.ts';
import { authEmailMail } from './events/auth-email-mail.ts';
import { authForgot } from './events/auth-forgot.ts';
import { authForgotMail } from './events/auth-forgot-mail.ts';
import { authInvite } from './events/auth-invite.ts';
import { authInviteMail } from './events/auth-invite-mail.ts';
import { authLanguageSearch } from './events/auth-language-search.ts';
import { authLogin } from './events/auth-login.ts';
import { authLogout } from './events/auth-logout.ts';
import { authProviderLink } from './events/auth-provider-link.ts';
import { authProviderSearch } from './events/auth-provider-search.ts';
import { authProviderUnlink } from './events/auth-provider-unlink.ts';
import { authRecover } from './events/auth-recover.ts';
import { authRemove } from './events/auth-remove.ts';
import { authReset } from './events/auth-reset.ts';
import { authRestore } from './events/auth-restore.ts';
import { authRole } from './events/auth-role.ts';
import { authSearch } from './events/auth-search.ts';
import { authSessionEnd } from './events/auth-session-end.ts';
import { authSessionSearch } from './events/auth-session-search.ts';
import { authSetup } from './events/auth-setup.ts';
import { authSetupLink } from './events/auth-setup-link.ts';
import { authSsoLogin } from './events/auth-sso-login.ts';
import { authTakenMail } from './events/auth-taken-mail.ts';
import { authUpdate } from './events/auth-update.ts';
import { authVerify } from './events/auth-verify.ts';
import { authVerifyMail } from './events/auth-verify-mail.ts';
import { authVerifyRequest } from './events/auth-verify-request.ts';
import { mailTokenTable } from './mail/mail-token.ts';
import { probeProviders } from './provider/probe.ts';
import { providerTable } from './provider/sql.ts';
import { routes } from './routes.ts';
import { allSecondFactorRoutes, secondFactorEvents } from './second-factor/contribution.ts';
import { endTrustWithAccount } from './second-factor/end-with-account.ts';
import { secondFactorTables } from './second-factor/tables.ts';
import { AUTH } from './sql.ts';

const authTable: SystemTable = {
  name: AUTH,
  columns: [
    { name: 'auth_id', type: 'id' },
    { name: 'auth_slug', type: 'text', isRequired: true },
    { name: 'auth_password', type: 'text', isRequired: true },
    { name: 'auth_type', type: 'text', isRequired: true, default: '' },
    { name: 'auth_active', type: 'integer', isRequired: true, default: 1 },
    { name: 'auth_verified', type: 'integer', isRequired: true, default: 0 },
    { name: 'auth_verify', type: 'integer', isRequired: true, default: 0 },
    // Kinds of the second factors that the account has, such as `totp,passkey`; set in the write that changes them.
    { name: 'auth_second_factor', type: 'text', isRequired: true, default: '' },
    // Tag of the language that its user chose, such as `de`; empty: as the browser asks.
    { name: 'auth_language', type: 'text', isRequired: true, default: '' },
    { name: 'auth_created', type: 'text', isRequired: true },
    { name: 'auth_updated', type: 'text', isRequired: true },
    { name: 'profile_id', type: 'integer', isRequired: true, references: 'profile.profile_id' },
  ],
  indexes: [
    { name: 'treadle_auth_slug', columns: ['auth_slug'], isUnique: true },
    { name: 'treadle_auth_profile', columns: ['profile_id'] },
  ],
};

/** Accounts need profiles: a model without a `profile` schema has no accounts, and gets an advice. */
export function contribute({ model }: Facts): Contribution {
  if (!model.schemas.has('profile')) {
    return {
      problems: [
        {
          code: 'AUTH_PROFILE_MISSING',
          file: 'config/schema/profile.json',
          path: '',
          message: 'Without a schema named "profile" nobody can sign up or log in.',
          hint: 'Add it: treadle schema create profile --field name:text:required --field created:created',
          severity: 'advice',
        },
      ],
    };
  }
  return {
    tables: [authTable, mailTokenTable, providerTable, ...secondFactorTables],
    events: [
      authCreate,
      authLogin,
      authLogout,
      authDetail,
      authSearch,
      authLanguageSearch,
      authUpdate,
      authReset,
      authRemove,
      authRestore,
      authDelete,
      authForgot,
      authForgotMail,
      authRecover,
      authVerify,
      authVerifyRequest,
      authVerifyMail,
      authTakenMail,
      authEmail,
      authEmailMail,
      authInvite,
      authInviteMail,
      authRole,
      authSetup,
      authSetupLink,
      authSessionSearch,
      authSessionEnd,
      authSsoLogin,
      authProviderLink,
      authProviderUnlink,
      authProviderSearch,
      ...secondFactorEvents,
    ],
    commits: [endTrustWithAccount],
    routes: [...routes(model), ...allSecondFactorRoutes],
    ...(listProviders(model.settings).size === 0 ? {} : { workers: [probeProviders] }),
  };
}
