import { type SampleRequest } from './sample-request.ts';
/** The request with PHP's curl extension. */
export declare function toPhp(request: SampleRequest): string;
