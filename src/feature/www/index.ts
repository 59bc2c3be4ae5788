import type { Feature } from '../../plan/feature.ts';
import { contributeWww } from './plan.ts';

/** The site's frame: plain pages for a project without its own, styles and scripts, the home page, health. */
export const www: Feature = { name: 'www', contribute: contributeWww };
