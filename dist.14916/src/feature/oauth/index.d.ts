import type { Feature } from '../../plan/feature.ts';
/** OAuth for third-party apps: registration, consent dialog, codes and tokens. */
export declare const oauth: Feature;
