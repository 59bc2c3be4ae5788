import type { EventContribution } from '../../../plan/feature.ts';
import { setActive } from '../client/set-active.ts';

export const appRestore: EventContribution = {
  name: 'app-restore',
  description: 'Resumes a suspended app. Its tokens work again.',
  stage: {
    app_id: 'The app, or use `client_id`.',
    client_id: 'Its client id.',
    owner: 'Only an app of this account (`auth_id`). An owner cannot resume an app that an administrator suspended.',
  },
  results: '`app_id`, `client_id`.',
  kind: 'writes',
  listen: setActive(true),
};
