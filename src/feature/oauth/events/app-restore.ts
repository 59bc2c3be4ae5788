import type { EventContribution } from '../../../plan/feature.ts';
import { setActive } from '../set-active.ts';

export const appRestore: EventContribution = {
  event: 'app-restore',
  description: 'Lets a suspended app work again, with the tokens that it had; for an admin.',
  stage: { app_id: 'The app, or instead:', client_id: 'Its client id.' },
  results: '`app_id`, `client_id`.',
  commits: 'self',
  listen: setActive(1),
};
