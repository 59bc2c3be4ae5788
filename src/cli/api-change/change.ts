import type { Json } from '../../model/value-schema.ts';
import { toRecord } from '../json.ts';

/** What a change does to the clients that are out there: breaks them, may break some, or leaves all working. */
export type Level = 'breaking' | 'risky' | 'additive';
const LEVELS: readonly Level[] = ['breaking', 'risky', 'additive'];

/** One difference between two documents of an API. */
export interface Change {
  readonly level: Level;
  /** A fixed word for programs, such as `answer-field-removed`. */
  readonly code: string;
  /** Calls and web hooks that it concerns, by name. */
  readonly calls: readonly string[];
  /** Such as `article_title` or `author.name`; empty where the whole call is meant. */
  readonly place: string;
  /** A sentence without the calls' names. */
  readonly message: string;
}

/** Which way data go: to the API, or from it (and to receivers of hooks). */
export type Direction = 'request' | 'answer';

/** Two documents and what was found so far. A change that many calls share, through a component, is told once. */
export class Comparison {
  readonly before: Json;
  readonly after: Json;
  /** References to components that are not as they were, or lead to one that is not. */
  readonly #changed: ReadonlySet<string>;
  readonly #found = new Map<string, { change: Omit<Change, 'calls'>; calls: Set<string> }>();

  constructor(before: Json, after: Json) {
    this.before = before;
    this.after = after;
    this.#changed = findChanged(before, after);
  }

  /** Whether two parts say the same, and so does all that they lead to. Most of a document is such. */
  isSame(before: unknown, after: unknown): boolean {
    if (!isEqual(before, after)) return false;
    for (const ref of listRefs(before)) if (this.#changed.has(ref)) return false;
    return true;
  }

  add(call: string, change: Omit<Change, 'calls'>): void {
    const key = JSON.stringify([change.level, change.code, change.place, change.message]);
    const known = this.#found.get(key) ?? { change, calls: new Set() };
    known.calls.add(call);
    this.#found.set(key, known);
  }

  /** The gravest first, then by name. */
  list(): Change[] {
    const all = [...this.#found.values()].map(({ change, calls }) => ({ ...change, calls: [...calls].sort() }));
    const order = ({ level, calls, place }: Change): string => `${LEVELS.indexOf(level)} ${calls[0]} ${place}`;
    return all.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  }
}

/** Whether two parts of a document say the same. */
export const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What a reference leads to, in its own document; anything else is itself. */
export function follow(document: Json, node: unknown): Json {
  const { $ref, ...rest } = toRecord(node);
  if (typeof $ref !== 'string') return toRecord(node);
  const keys = $ref.slice(2).split('/');
  const target = keys.reduce<unknown>((at, key) => toRecord(at)[key.replace(/~1/g, '/').replace(/~0/g, '~')], document);
  return { ...follow(document, target), ...rest };
}

function* listRefs(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === '$ref' && typeof value === 'string') yield value;
    else yield* listRefs(value);
  }
}

function findChanged(before: Json, after: Json): Set<string> {
  const [was, is] = [toRecord(before.components), toRecord(after.components)];
  const changed = new Set<string>();
  const leading = new Map<string, string[]>();
  for (const kind of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const [old, now] = [toRecord(was[kind]), toRecord(is[kind])];
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
      const ref = `#/components/${kind}/${name}`;
      if (!isEqual(old[name], now[name])) changed.add(ref);
      for (const target of listRefs(now[name])) leading.set(target, [...(leading.get(target) ?? []), ref]);
    }
  }
  // What leads to something changed counts as changed; what was found on the way is looked at as well.
  for (const ref of changed) for (const from of leading.get(ref) ?? []) changed.add(from);
  return changed;
}
