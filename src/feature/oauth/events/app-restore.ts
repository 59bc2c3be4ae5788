import { defineSetActive } from '../client/set-active.ts';

export const appRestore = defineSetActive('app-restore', 'Resumes a suspended app. Its tokens work again.', true);
