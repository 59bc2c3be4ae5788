import type { Json } from '../../model/value-schema.ts';
import type { CallFacts } from './call-facts.ts';
/** A text with parts from the environment: the reader sets their credentials once, and each sample runs unchanged. */
export type SampleText = readonly (string | {
    readonly env: string;
})[];
/** A request, independent of a language. */
export interface SampleRequest {
    /** In capitals. */
    readonly method: string;
    readonly url: SampleText;
    readonly headers: readonly (readonly [name: string, value: SampleText])[];
    /** Environment variables with the user and the password of HTTP Basic. */
    readonly basic?: {
        readonly user: string;
        readonly password: string;
    };
    readonly json?: Json;
    readonly form?: readonly (readonly [name: string, value: SampleText])[];
    /** True if the answer has `error` and `results`; the token endpoints' answers do not. */
    readonly isEnvelope: boolean;
}
/** A URL for people: variables in capitals. */
export declare const printSample: (text: SampleText) => string;
export declare const env: (name: string) => {
    readonly env: string;
};
/** Appends a query to a URL; names and fixed values are percent-encoded. */
export declare function toUrl(address: string, query: readonly (readonly [name: string, value: SampleText])[]): SampleText;
/** Joins adjacent fixed parts. */
export declare function mergeTexts(parts: SampleText): SampleText;
/**
 * A request to the call that works once the variables are set: with required values, and for a search a page of two
 * rows.
 */
export declare function toSampleRequest(facts: CallFacts, baseUrl: string): SampleRequest;
/** Environment variables of a request, in the order of their first use. */
export declare function listVariables({ url, headers, form, basic }: SampleRequest): string[];
