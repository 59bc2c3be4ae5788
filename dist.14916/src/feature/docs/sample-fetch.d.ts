import type { SampleRequest } from './sample-request.ts';
/** The request with `fetch`: a module that Node 20 runs unchanged. */
export declare function toFetch(request: SampleRequest): string;
