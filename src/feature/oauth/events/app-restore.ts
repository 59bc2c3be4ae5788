import type { EventContribution } from '../../../plan/feature.ts';
import { setActive } from '../set-active.ts';

export const appRestore: EventContribution = {
  event: 'app-restore',
  description: 'Lets a suspended app work again, with the tokens that it had.',
  stage: {
    app_id: 'The app, or instead:',
    client_id: 'Its client id.',
    owner: 'Only an app of this account (`auth_id`), who cannot undo what an admin suspended.',
  },
  results: '`app_id`, `client_id`.',
  listen: setActive(true),
};
