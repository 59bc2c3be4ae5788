import { BoundedMap } from '../bounded-map.ts';
import { once } from '../memoize.ts';

/** A route pattern, compiled. */
export interface Pattern {
  readonly source: string;
  /** Lower-case path of a pattern without parameters: looked up, not matched. */
  readonly fixed: string | undefined;
  readonly names: readonly string[];
  /** Higher is more specific: fixed segments before parameters, then `*`, then `**`. */
  readonly weight: string;
  match(path: string): PatternMatch | undefined;
  /** Whether {@link match} finds something, without reading the parameters. */
  matches(path: string): boolean;
  /** As {@link match}, but for a path with invalid percent-encoding or line breaks too: what guards must not miss it. */
  covers(path: string): boolean;
}

export interface PatternMatch {
  readonly parameters: Readonly<Record<string, string>>;
  readonly variables: readonly string[];
}

const NAME = /^:([A-Za-z_][A-Za-z0-9_]*)$/;
/** A text as part of a regular expression. */
export const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A path that a pattern matches: `/article/:id` gives `/article/x`. */
export const toExample = (path: string): string => path.replace(/:[A-Za-z_]\w*|\*+/g, 'x');

/** True for a segment of a pattern that stands for several texts. */
export const isVariable = (segment: string): boolean => segment.startsWith(':') || segment.includes('*');

/** Removes a trailing slash and converts to lower case: routes match fixed segments in any case. */
export function toFixedPath(path: string): string {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return trimmed.toLowerCase();
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/**
 * Compiles a route pattern. `:name` is a parameter of one segment; `*` is one segment and `**` the rest,
 * both positional variables in order. Fixed segments match in any case; a trailing slash is optional. A
 * segment with invalid percent-encoding matches nothing.
 */
export const compilePattern = (source: string): Pattern =>
  compiled.getOrCreate(source, () => Object.freeze(compileAlone(source)));

/** Linking, calls, routes and doors compile the same path, and a reload all of them again. */
const MOST_COMPILED = 10_000;
const compiled = new BoundedMap<Pattern>(MOST_COMPILED);

const toName = (segment: string): string | undefined => (segment.startsWith(':') ? NAME.exec(segment)?.[1] : undefined);

/** The regular expression of a pattern, as text. */
function toText(segments: readonly string[]): string {
  const parts = segments.map((segment) => {
    if (toName(segment) !== undefined) return '/([^/]+)';
    return segment === '**' ? '(?:/(.*))?' : `/${segment.split('*').map(escapeRegExp).join('([^/]+)')}`;
  });
  const body = parts.join('');
  return `^${body === '/' ? '' : body}/?$`;
}

type Slots = Pick<Pattern, 'names' | 'weight'> & { readonly slots: readonly (string | undefined)[] };

function findSlots(segments: readonly string[]): Slots {
  const names: string[] = [];
  const slots: (string | undefined)[] = [];
  let weight = '';
  for (const segment of segments) {
    const name = toName(segment);
    if (name !== undefined) names.push(name);
    const stars = segment === '**' ? 1 : segment.split('*').length - 1;
    for (let count = name === undefined ? stars : 1; count > 0; count -= 1) slots.push(name);
    weight += name !== undefined ? '2' : segment === '**' ? '0' : stars > 0 ? '1' : '3';
  }
  return { names, slots, weight };
}

/** Most paths have no slots, and every start compiles hundreds. */
const hasSlots = (source: string): boolean => source.includes(':') || source.includes('*');

function compileAlone(source: string): Pattern {
  const segments = source.split('/').slice(1);
  const { names, slots, weight }: Slots = hasSlots(source)
    ? findSlots(segments)
    : { names: [], slots: [], weight: '3'.repeat(segments.length) };
  const isFixed = slots.length === 0;
  // A fixed path is looked up, and hardly ever matched.
  const regexp = once(() => new RegExp(toText(segments), 'i'));
  const whole = once(() => new RegExp(toText(segments), 'is'));
  const match: Pattern['match'] = (path) => {
    const found = regexp().exec(path);
    if (!found) return undefined;
    const parameters: Record<string, string> = {};
    const variables: string[] = [];
    for (const [index, slot] of slots.entries()) {
      const value = decode(found[index + 1] ?? '');
      if (value === undefined) return undefined;
      if (slot === undefined) variables.push(value);
      else parameters[slot] = value;
    }
    return { parameters, variables };
  };
  return {
    source,
    fixed: isFixed ? toFixedPath(source) : undefined,
    names,
    weight,
    covers: (path) => whole().test(path),
    matches: (path) => (path.includes('%') ? match(path) !== undefined : regexp().test(path)),
    match,
  };
}

/**
 * Compiles a name pattern: `%s` and `*` match one or more characters and are captured, so `system-model-*`
 * matches every model event.
 */
export function compileNamePattern(source: string): RegExp {
  return new RegExp(`^${source.split(/%s|\*/).map(escapeRegExp).join('(.+?)')}$`);
}

/** Whether a listener's event name is a pattern. */
export const isNamePattern = (name: string): boolean => name.includes('%s') || name.includes('*');
