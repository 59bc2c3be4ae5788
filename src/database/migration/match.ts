/** A wanted table or column with its possible former names. */
export interface WantedName {
  readonly name: string;
  readonly was?: readonly string[];
}

/** Present names and what is remembered of them. */
export interface Present {
  readonly names: ReadonlySet<string>;
  /** Whether this database has done this rename before, so that `was` is history. */
  isDone(name: string, was: string): boolean;
  /** Whether it had no definition at the last migration. */
  isLeft(name: string): boolean;
}

export interface Conflict {
  readonly name: string;
  readonly was: string;
}

export interface Match {
  /** Present name of each wanted name that exists. */
  readonly sources: ReadonlyMap<string, string>;
  /** Renames to a name in use: neither is matched until the planner decides. */
  readonly conflicts: readonly Conflict[];
}

interface Search {
  readonly present: Present;
  /** All wanted names. */
  readonly names: ReadonlySet<string>;
  /** Present names already matched to another wanted name. */
  readonly taken: ReadonlySet<string>;
}

function findFormer({ name, was = [] }: WantedName, { present, names, taken }: Search): string | undefined {
  const isThere = present.names.has(name);
  // Names that differ only in case: databases disagree on whether they are equal.
  const alike = isThere ? [] : [...present.names].filter((other) => other.toLowerCase() === name.toLowerCase());
  // If a later former name was reached from this one, this step is done: the schema is renamed, the field
  // was before.
  const isHistory = (former: string, index: number): boolean =>
    present.isDone(name, former) ||
    was.slice(index + 1).some((later) => present.names.has(later) && present.isDone(later, former));
  const known = [...was, ...alike].filter(
    (former, index) => former !== name && present.names.has(former) && !taken.has(former) && !isHistory(former, index),
  );
  const found = known.find((former) => !present.isLeft(former)) ?? known[0];
  if (found !== undefined || isThere) return found;
  // The file may still give the first name after a completed rename: continue from the present one.
  return [...present.names].find(
    (other) => !names.has(other) && !taken.has(other) && was.some((former) => present.isDone(other, former)),
  );
}

/**
 * Matches each wanted name to a present one. Renames may form chains (b to c, a to b) and cycles (a to b, b
 * to a): a former name that is wanted again is free if its new owner comes from elsewhere or is new.
 */
export function matchNames(wanted: readonly WantedName[], present: Present): Match {
  const names = new Set(wanted.map(({ name }) => name));
  const renames = new Map<string, string>();
  const taken = new Set<string>();
  for (const entry of wanted) {
    const former = findFormer(entry, { present, names, taken });
    if (former === undefined) continue;
    renames.set(entry.name, former);
    taken.add(former);
  }
  const conflicts: Conflict[] = [];
  for (let isStable = false; !isStable; ) {
    isStable = true;
    const leaving = new Set(renames.values());
    for (const [name, was] of renames) {
      // If the new name exists already, and the former name is wanted for something else, the rename is
      // done.
      const isStaying = names.has(was) && !renames.has(was) && present.names.has(name);
      const isTaken = present.names.has(name) && !leaving.has(name);
      if (!isStaying && !isTaken) continue;
      renames.delete(name);
      if (!isStaying) conflicts.push({ name, was });
      isStable = false;
      break;
    }
  }
  const leaving = new Set(renames.values());
  const sources = new Map<string, string>();
  for (const { name } of wanted) {
    const source = renames.get(name) ?? (present.names.has(name) && !leaving.has(name) ? name : undefined);
    if (source !== undefined) sources.set(name, source);
  }
  return { sources, conflicts };
}

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** Orders renames so that each name is free when it is taken; cycles use a temporary name. */
export function orderRenames(renames: readonly Rename[], toTemporary: (index: number) => string): Rename[] {
  const ordered: Rename[] = [];
  const waiting = renames.filter(({ from, to }) => from !== to).map((rename) => ({ ...rename }));
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
  for (let temporaries = 0; waiting.length > 0; ) {
    const index = waiting.findIndex(({ to }) => !waiting.some((other) => same(other.from, to)));
    const [next] = index < 0 ? [] : waiting.splice(index, 1);
    if (next !== undefined) {
      ordered.push(next);
      continue;
    }
    const first = waiting[0];
    if (first === undefined) break;
    temporaries += 1;
    const temporary = toTemporary(temporaries);
    ordered.push({ from: first.from, to: temporary });
    waiting[0] = { from: temporary, to: first.to };
  }
  return ordered;
}
