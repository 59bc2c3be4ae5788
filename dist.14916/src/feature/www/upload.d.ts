import type { Listener } from '../../core/bus.ts';
import type { Context } from '../../plan/feature.ts';
/** Serves an uploaded file by its random name: the whole file or a range, or 304 if the client has it. */
export declare function serveUpload({ services }: Context): Listener;
