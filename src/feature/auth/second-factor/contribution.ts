import type { EventRecord, RouteContribution } from '../../../plan/feature.ts';
import { confirmRoutes } from './confirm-routes.ts';
import { authDeviceRemove } from './events/auth-device-remove.ts';
import { authPasskeyCreate } from './events/auth-passkey-create.ts';
import { authPasskeyLogin } from './events/auth-passkey-login.ts';
import { authPasskeyRemove } from './events/auth-passkey-remove.ts';
import { authPasskeyUpdate } from './events/auth-passkey-update.ts';
import { authRecoveryCreate } from './events/auth-recovery-create.ts';
import { authSecondFactor } from './events/auth-second-factor.ts';
import { authSecondFactorRemove } from './events/auth-second-factor-remove.ts';
import { authSecondFactorSearch } from './events/auth-second-factor-search.ts';
import { authTotpCreate } from './events/auth-totp-create.ts';
import { authTotpRemove } from './events/auth-totp-remove.ts';
import { passkeyRoutes } from './passkey/routes.ts';
import { secondFactorRoutes } from './routes.ts';
import { totpRoutes } from './totp-routes.ts';

export const secondFactorEvents: readonly EventRecord[] = [
  authSecondFactor,
  authSecondFactorSearch,
  authSecondFactorRemove,
  authTotpCreate,
  authTotpRemove,
  authPasskeyCreate,
  authPasskeyLogin,
  authPasskeyUpdate,
  authPasskeyRemove,
  authRecoveryCreate,
  authDeviceRemove,
];

export const allSecondFactorRoutes: readonly RouteContribution[] = [
  ...secondFactorRoutes,
  ...totpRoutes,
  ...passkeyRoutes,
  ...confirmRoutes,
];
