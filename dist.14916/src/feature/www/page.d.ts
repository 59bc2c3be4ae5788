import type { Listener } from '../../core/bus.ts';
import type { Context } from '../../plan/feature.ts';
/** Renders a template of this feature around the response's content, with its title, flash and meta. */
export declare function renderPage(context: Context, template: string): Listener;
