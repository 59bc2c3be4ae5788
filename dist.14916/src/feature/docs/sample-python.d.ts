import type { SampleRequest } from './sample-request.ts';
/** The request with Python's standard library, so that it needs no package. */
export declare function toPython(request: SampleRequest): string;
