import type { EventContribution } from '../../../plan/feature.ts';
import { setActive } from '../client/set-active.ts';

export const appSuspend: EventContribution = {
  name: 'app-suspend',
  description: 'Suspends an app that was registered in the browser: its dialog, secrets and tokens stop working.',
  stage: {
    app_id: 'The app, or use `client_id`.',
    client_id: 'Its client id.',
    owner: 'Only an app of this account (`auth_id`). An owner cannot resume an app that an administrator suspended.',
  },
  results: '`app_id`, `client_id`.',
  kind: 'writes',
  listen: setActive(false),
};
