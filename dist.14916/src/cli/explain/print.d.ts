import type { CallFacts } from './call.ts';
import type { Found } from './find.ts';
import type { Verdict } from './verdict.ts';
/** The facts about a call as text, one per line. */
export declare function toCallLines(call: CallFacts, verdict: Verdict | undefined): string[];
/** The routes of a path that is not an API call. */
export declare function toRouteLines({ routes }: Found): string[];
