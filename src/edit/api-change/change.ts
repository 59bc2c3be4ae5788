import { toRecord } from '../../model/json/json-parts.ts';
import { collectRefs, isSameJson } from '../../model/json/json-value.ts';
import type { Json } from '../../model/json/value-schema.ts';

/** Effect of a change on existing clients: breaks them, may break some, or breaks none. */
export type Level = 'breaking' | 'risky' | 'additive';
const LEVELS: readonly Level[] = ['breaking', 'risky', 'additive'];

/** One difference between two documents of an API. */
export interface Change {
  readonly level: Level;
  /** A fixed code for programs, such as `answer-field-removed`. */
  readonly code: string;
  /** Names of the affected calls and web hooks. */
  readonly calls: readonly string[];
  /** For example `article_title` or `author.name`; empty for the whole call. */
  readonly place: string;
  /** A sentence without the calls' names. */
  readonly message: string;
}

/** Direction of the data: to the API, or from it (and to receivers of hooks). */
export type Direction = 'request' | 'answer';

/** Two documents and the changes found so far. A change that many calls share, through a component, is listed once. */
export class Comparison {
  readonly before: Json;
  readonly after: Json;
  /** References to components that changed, directly or through other references. */
  readonly #changed: ReadonlySet<string>;
  readonly #found = new Map<string, { change: Omit<Change, 'calls'>; calls: Set<string> }>();

  constructor(before: Json, after: Json) {
    this.before = before;
    this.after = after;
    this.#changed = findChanged(before, after);
  }

  /** True if two parts are equal, including everything that they refer to. Most of a document is. */
  isSame(before: unknown, after: unknown): boolean {
    if (!isSameJson(before, after)) return false;
    for (const ref of collectRefs(before)) if (this.#changed.has(ref)) return false;
    return true;
  }

  add(call: string, change: Omit<Change, 'calls'>): void {
    const key = JSON.stringify([change.level, change.code, change.place, change.message]);
    const known = this.#found.get(key) ?? { change, calls: new Set() };
    known.calls.add(call);
    this.#found.set(key, known);
  }

  /** Most severe first, then by name. */
  list(): Change[] {
    const all = [...this.#found.values()].map(({ change, calls }) => ({ ...change, calls: [...calls].sort() }));
    const order = ({ level, calls, place }: Change): string => `${LEVELS.indexOf(level)} ${calls[0]} ${place}`;
    return all.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  }
}

/** The target of a reference in its document; any other node itself. */
export function follow(document: Json, node: unknown): Json {
  const { $ref, ...rest } = toRecord(node);
  if (typeof $ref !== 'string') return toRecord(node);
  const keys = $ref.slice(2).split('/');
  const target = keys.reduce<unknown>((at, key) => toRecord(at)[key.replace(/~1/g, '/').replace(/~0/g, '~')], document);
  return { ...follow(document, target), ...rest };
}

function findChanged(before: Json, after: Json): Set<string> {
  const [was, is] = [toRecord(before.components), toRecord(after.components)];
  const changed = new Set<string>();
  const leading = new Map<string, string[]>();
  for (const kind of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const [old, now] = [toRecord(was[kind]), toRecord(is[kind])];
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
      const ref = `#/components/${kind}/${name}`;
      if (!isSameJson(old[name], now[name])) changed.add(ref);
      for (const target of collectRefs(now[name])) leading.set(target, [...(leading.get(target) ?? []), ref]);
    }
  }
  // A component that refers to a changed one counts as changed; the loop continues with the newly found ones.
  for (const ref of changed) for (const from of leading.get(ref) ?? []) changed.add(from);
  return changed;
}
