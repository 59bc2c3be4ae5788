import type { Model } from '../../model/model.ts';
import type { CallFacts } from './call-facts.ts';
interface ShownHeader {
    readonly name: string;
    readonly description: string;
}
/** One status of a call, for its page. */
export interface ShownAnswer {
    readonly status: string;
    readonly reason: string;
    readonly isError: boolean;
    readonly headers: readonly ShownHeader[];
    /** An example body; undefined for a status without a body. */
    readonly body: string | undefined;
}
/**
 * Every status of the call, successes first, each with its headers and an example body. They come from the OpenAPI
 * document, so that the two never differ.
 */
export declare function listAnswers(facts: CallFacts, model: Model): ShownAnswer[];
export {};
