import { defineSetActive } from '../client/set-active.ts';

export const appSuspend = defineSetActive(
  'app-suspend',
  'Suspends an app that was registered in the browser: its dialog, secrets and tokens stop working.',
  false,
);
