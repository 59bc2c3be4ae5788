/** Idle lanes that are remembered. */
const MAX_LANES = 10_000;

interface Lane {
  underWay: number;
  /** How many may be under way: doubles with each success, falls to one with each failure. */
  allowance: number;
  isFailing: boolean;
}

export interface LaneOptions {
  readonly concurrency: number;
  readonly perLane: number;
}

/**
 * Fairness between lanes, in memory. A lane starts with one job under way, as TCP starts slowly, so that a hundred
 * receivers that hang take a hundred places and not all; failing lanes together get at most half of the places.
 */
export interface Lanes {
  /** Which of these to start now, in turn between the lanes. */
  choose<T extends { readonly lane: string }>(waiting: readonly T[]): T[];
  began(lane: string): void;
  ended(lane: string, isFailed: boolean): void;
  readonly free: number;
}

export function createLanes({ concurrency, perLane }: LaneOptions): Lanes {
  const lanes = new Map<string, Lane>();
  let underWay = 0;
  let failing = 0;
  let last = '';

  const get = (name: string): Lane => {
    let lane = lanes.get(name);
    if (!lane) {
      lane = { underWay: 0, allowance: 1, isFailing: false };
      lanes.set(name, lane);
      if (lanes.size > MAX_LANES) forget();
    }
    return lane;
  };
  const forget = (): void => {
    for (const [name, lane] of lanes) {
      if (lane.underWay > 0) continue;
      lanes.delete(name);
      return;
    }
  };
  /** The lanes after the one served last come first, so that those at the end of the alphabet get their turn. */
  const inTurn = <T extends { readonly lane: string }>(waiting: readonly T[]): T[][] => {
    const groups = groupByLane(waiting);
    const names = [...groups.keys()].sort();
    const from = names.findIndex((name) => name > last);
    const order = from < 0 ? names : [...names.slice(from), ...names.slice(0, from)];
    return order.map((name) => groups.get(name) ?? []);
  };

  return {
    get free() {
      return concurrency - underWay;
    },
    choose(waiting) {
      const chosen: (typeof waiting)[number][] = [];
      const groups = inTurn(waiting);
      let failingLeft = Math.max(1, Math.floor(concurrency / 2)) - failing;
      for (let round = 0; round < perLane; round += 1) {
        for (const group of groups) {
          const job = group[round];
          if (!job || underWay + chosen.length >= concurrency) continue;
          const lane = get(job.lane);
          if (lane.underWay + round >= lane.allowance) continue;
          if (lane.isFailing) {
            if (failingLeft <= 0) continue;
            failingLeft -= 1;
          }
          chosen.push(job);
          last = job.lane;
        }
      }
      return chosen;
    },
    began(name) {
      const lane = get(name);
      lane.underWay += 1;
      underWay += 1;
      if (lane.isFailing) failing += 1;
    },
    ended(name, isFailed) {
      const lane = get(name);
      underWay -= 1;
      if (lane.isFailing) failing -= 1;
      lane.underWay -= 1;
      if (lane.isFailing !== isFailed) {
        failing += isFailed ? lane.underWay : -lane.underWay;
        lane.isFailing = isFailed;
      }
      lane.allowance = isFailed ? 1 : Math.min(perLane, lane.allowance * 2);
    },
  };
}

function groupByLane<T extends { readonly lane: string }>(waiting: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const job of waiting) {
    const group = groups.get(job.lane);
    if (group) group.push(job);
    else groups.set(job.lane, [job]);
  }
  return groups;
}
