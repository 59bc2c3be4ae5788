import type { EventContribution } from '../../../plan/feature.ts';
import { setActive } from '../set-active.ts';

export const appSuspend: EventContribution = {
  event: 'app-suspend',
  description: 'Stops an app registered in the browser: its dialog, secrets and tokens work no more.',
  stage: {
    app_id: 'The app, or instead:',
    client_id: 'Its client id.',
    owner: 'Only an app of this account (`auth_id`), who cannot undo what an admin suspended.',
  },
  results: '`app_id`, `client_id`.',
  listen: setActive(false),
};
