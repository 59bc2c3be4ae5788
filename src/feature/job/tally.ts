interface Counts {
  done: number;
  failed: number;
  givenUp: number;
  seconds: number;
}

/** What ran in this process since its start. One for each name, so that the figures stay few. */
export interface Tally {
  add(name: string, is: 'done' | 'failed', milliseconds: number): void;
  giveUp(name: string): void;
  list(): readonly { readonly name: string; readonly counts: Readonly<Counts> }[];
}

export function createTally(): Tally {
  const all = new Map<string, Counts>();
  const get = (name: string): Counts => {
    const known = all.get(name) ?? { done: 0, failed: 0, givenUp: 0, seconds: 0 };
    all.set(name, known);
    return known;
  };
  return {
    add(name, is, milliseconds) {
      const counts = get(name);
      counts[is] += 1;
      counts.seconds += milliseconds / 1000;
    },
    giveUp(name) {
      get(name).givenUp += 1;
    },
    list: () => [...all].map(([name, counts]) => ({ name, counts })),
  };
}
