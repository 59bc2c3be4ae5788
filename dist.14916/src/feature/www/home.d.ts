import type { Listener } from '../../core/bus.ts';
import type { Context } from '../../plan/feature.ts';
/** The home page of a project without a `/` route: names what it has and the next commands. */
export declare function showHome(context: Context): Listener;
