import type { Bus } from '../../core/bus/bus.ts';
import type { CallPlan } from '../../plan/feature.ts';

/** Finds calls by what a request line says, where their routes have not run. */
export class CallIndex {
  readonly #calls: ReadonlyMap<string, CallPlan>;

  constructor(calls: readonly CallPlan[]) {
    this.#calls = new Map(calls.map((call) => [`${call.definition.method.toUpperCase()} ${call.path}`, call]));
  }

  /** The call that answers a method and path; undefined if there is none, or a route of the project answers them. */
  find(bus: Bus, method: string, path: string): CallPlan | undefined {
    const { route } = bus.match(method === 'HEAD' ? 'GET' : method, path);
    return this.#calls.get(`${method} ${route}`) ?? this.#calls.get(`ALL ${route}`);
  }
}
