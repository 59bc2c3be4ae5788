import type { Feature } from '../../plan/feature.ts';
/** The site's frame: plain pages for a project without its own, styles and scripts, the home page, health. */
export declare const www: Feature;
