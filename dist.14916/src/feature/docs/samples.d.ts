import { type SampleRequest } from './sample-request.ts';
/** A text in one language, for the tabs of a page. */
export interface Sample {
    /** Stored in the reader's browser, so that every page shows the same language. */
    readonly language: string;
    readonly label: string;
    readonly text: string;
}
export interface SampleSet {
    readonly samples: readonly Sample[];
    /** Environment variables that the samples read. */
    readonly variables: readonly string[];
}
/** The same request in each language. */
export declare function toSamples(request: SampleRequest): SampleSet;
