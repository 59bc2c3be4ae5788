import type { HookFormat } from '../../model/shape.ts';
import type { Sample } from './samples.ts';
/** The receivers for a format, as samples for the tabs of a page. */
export declare const listReceivers: (format?: HookFormat) => Sample[];
