import type { SampleRequest } from './sample-request.ts';
/** Quotes a text for a POSIX shell: nothing inside single quotes is expanded. */
export declare function quoteForShell(text: string): string;
/** A curl command over several lines, ready for a shell. */
export declare function toCurl({ method, url, headers, basic, json, form }: SampleRequest): string;
