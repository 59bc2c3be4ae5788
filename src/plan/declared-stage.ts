import type { Listener } from '../core/bus.ts';
import type { Request } from '../core/request.ts';
import { toDidYouMean } from '../core/suggest.ts';
import type { EventContribution } from './feature.ts';

/** Most unknown parameters that an answer names. */
const MOST_NAMED = 20;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/**
 * Whether a stage key is up to the check: the query of a page may have any, such as `utm_source`, but that of a call may not.
 * What the call's path or Treadle itself adds is known.
 */
const isChecked = (request: Request, key: string): boolean => {
  const { callFacts } = request;
  if (callFacts === undefined) return !request.isBrought(key);
  if (callFacts.isUser && key === 'profile_id') return false;
  return request.getParameters(key) === undefined;
};

/** The names of what a stage gives: `q`, or `filter[auth_active]` where the event declares names within `filter`. */
function listGiven(request: Request, declared: readonly string[]): string[] {
  const stage = request.getStage() as Readonly<Record<string, unknown>>;
  return Object.entries(stage).flatMap(([key, value]) => {
    if (!isGiven(value) || !isChecked(request, key)) return [];
    const isNested = typeof value === 'object' && declared.some((name) => name.startsWith(`${key}[`));
    return isNested ? Object.keys(value as object).map((within) => `${key}[${within}]`) : [key];
  });
}

/**
 * Refuses a search with a parameter that its event does not declare: to leave it out would answer more rows than were asked for.
 */
export function refuseUndeclared({ event, stage }: EventContribution, listener: Listener): Listener {
  const declared = Object.keys(stage);
  return (request, response, meta) => {
    const unknown = listGiven(request, declared).filter((name) => !declared.includes(name));
    const [first] = unknown;
    if (first === undefined) return listener(request, response, meta);
    const describe = (name: string): string => {
      const remedy = declared.length === 0 ? 'It takes none.' : toDidYouMean(name, declared);
      return `"${name.slice(0, 64)}" is not a parameter of ${event}. ${remedy}`;
    };
    const validation = Object.fromEntries(unknown.slice(0, MOST_NAMED).map((name) => [name, describe(name)]));
    return response.refuse({ status: 400, message: describe(first), validation });
  };
}
