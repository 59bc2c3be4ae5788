import { BoundedMap } from './bounded-map.ts';
import { once } from './memoize.ts';

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
const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

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

function compileAlone(source: string): Pattern {
  const names: string[] = [];
  const slots: (string | undefined)[] = [];
  let weight = '';
  const body = source
    .split('/')
    .slice(1)
    .map((segment) => {
      const name = NAME.exec(segment)?.[1];
      if (name !== undefined) {
        names.push(name);
        slots.push(name);
        weight += '2';
        return '/([^/]+)';
      }
      if (segment === '**') {
        slots.push(undefined);
        weight += '0';
        return '(?:/(.*))?';
      }
      weight += segment.includes('*') ? '1' : '3';
      return `/${segment.split('*').map(escapeRegExp).join('([^/]+)')}`.replace(/\(\[\^\/\]\+\)/g, (slot) => {
        slots.push(undefined);
        return slot;
      });
    })
    .join('');
  const isFixed = slots.length === 0;
  const text = `^${body === '/' || body === '' ? '' : body}/?$`;
  const regexp = once(() => new RegExp(text, 'i'));
  const whole = once(() => new RegExp(text, 'is'));
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
