/** A table or column that is wanted, with the names that it may still have. */
export interface Wanted {
  readonly name: string;
  readonly was?: readonly string[];
}

/** Names that are there, with what is remembered of them. */
export interface Present {
  readonly names: ReadonlySet<string>;
  /** Whether this rename was done in this database before, so that the `was` is history. */
  isDone(name: string, was: string): boolean;
  /** Whether no definition named it at the last migration. */
  isLeft(name: string): boolean;
}

export interface Conflict {
  readonly name: string;
  readonly was: string;
}

export interface Match {
  /** Each wanted name that is there, with the name it has now. */
  readonly sources: ReadonlyMap<string, string>;
  /** Renames onto a name that another has, which stays: neither is a source until the planner has decided. */
  readonly conflicts: readonly Conflict[];
}

interface Search {
  readonly present: Present;
  /** Names that are wanted. */
  readonly names: ReadonlySet<string>;
  /** Present names that another wanted one comes from. */
  readonly taken: ReadonlySet<string>;
}

function findFormer({ name, was = [] }: Wanted, { present, names, taken }: Search): string | undefined {
  const isThere = present.names.has(name);
  // Where only capitals differ the databases disagree on whether it is the same.
  const alike = isThere ? [] : [...present.names].filter((other) => other.toLowerCase() === name.toLowerCase());
  // A later one that came from it says that this part of the way is done: the schema is renamed, the field was before.
  const isHistory = (former: string, index: number): boolean =>
    present.isDone(name, former) ||
    was.slice(index + 1).some((later) => present.names.has(later) && present.isDone(later, former));
  const known = [...was, ...alike].filter(
    (former, index) => former !== name && present.names.has(former) && !taken.has(former) && !isHistory(former, index),
  );
  const found = known.find((former) => !present.isLeft(former)) ?? known[0];
  if (found !== undefined || isThere) return found;
  // The file may say the first name still, and what had it was renamed once before: it goes on from there.
  return [...present.names].find(
    (other) => !names.has(other) && !taken.has(other) && was.some((former) => present.isDone(other, former)),
  );
}

/**
 * Says which present name each wanted one comes from. Renames may form chains (b to c, a to b) and circles (a to b, b
 * to a): a former name that is still wanted is free where whoever wants it comes from elsewhere, or is new.
 */
export function matchNames(wanted: readonly Wanted[], present: Present): Match {
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
      // Where the new name is there already, a former one that is wanted for itself says that all was done.
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

/** Puts renames in an order in which each name is free when it is taken; circles go by way of a temporary name. */
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
