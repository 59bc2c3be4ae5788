import type { Feature } from '../../plan/feature.ts';
import { contributeWww } from './plan.ts';

/** The site's frame: plain pages where the project has none of its own, styles and scripts, the home page, health. */
export const www: Feature = { name: 'www', contribute: contributeWww };
