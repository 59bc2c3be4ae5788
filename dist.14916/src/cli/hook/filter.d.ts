import type { Response } from '../../core/response.ts';
import { type Application } from '../application.ts';
import { type Invocation, type OptionSpec } from '../spec.ts';
/** What narrows the log of deliveries; each is a stage key of its events. */
export declare const FILTER_OPTIONS: readonly OptionSpec[];
/** The flags by their stage keys, for messages of events. */
export declare const FLAG_NAMES: Readonly<Record<string, string>>;
/**
 * The given flags as a stage.
 *
 * @param findClient Finds the client id of `--app`.
 * @throws CLI_USAGE if a flag is empty or no time, if no time is between `--since` and `--until`, or if the app does not
 * exist.
 */
export declare function toStage(invocation: Invocation, options?: readonly OptionSpec[], findClient?: (invocation: Invocation, word: string) => Promise<string>): Promise<Record<string, string>>;
/**
 * Holds `--hook` and `--type` to what there is, or what the log has of hooks that were removed: a mistyped name would
 * read as an answer.
 *
 * @throws CLI_USAGE with a "did you mean".
 */
export declare function refuseUnknown(app: Application, stage: Readonly<Record<string, string | undefined>>): Promise<void>;
/** As `refuseFailure`; what the events call wrong in a stage is wrong use of a flag. @throws CLI_USAGE, CLI_EVENT_FAILED */
export declare function refuseWrong(answer: Response): void;
