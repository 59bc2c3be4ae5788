import { EMITTED, type Emitted } from '../../core/bus/bus.ts';
import { isNamePattern } from '../../core/bus/pattern.ts';
import { memoize } from '../../core/memoize.ts';
import type { Request } from '../../core/request/request.ts';
import type { Response } from '../../core/request/response.ts';
import { currentScope, type Unit } from '../../core/scope.ts';
import { compileHookEvent, isRead } from '../../model/hook-event.ts';
import type { CompiledPlan } from '../compile.ts';
import type { EventKind } from '../event/facts.ts';
import type { Context, EventExchange, Plan, Services } from '../feature.ts';
import { DeferredWork, findDeferredWork } from './deferred-work.ts';
import { follow, RevertedError } from './follow.ts';
import { refuseFailed } from './unit.ts';

/** `own`: an event of the project. */
type Kind = EventKind | 'own';

/** Compiled once for a plan. */
const findKinds = memoize(({ events }: Pick<Plan, 'events'>) => {
  const kinds = new Map<string, Kind>(events.map(({ name, kind }) => [name, kind]));
  return (event: string): Kind => kinds.get(event) ?? (isRead(event) ? 'reads' : 'own');
});

/** The events that something must commit with. */
export interface HookedEvents {
  /** Whether a web hook or a `committed` listener waits for the event, by name or by pattern. */
  fires(event: string): boolean;
  /** Whether a web hook names the event itself, or a `committed` listener waits for it: the event needs no listener. */
  names(event: string): boolean;
}

/** Patterns never match events that only read, so these need no transaction. */
export function compileHooked(plan: CompiledPlan): HookedEvents {
  const { committed } = plan.draft;
  const kindOf = findKinds(plan);
  const isQuiet = (event: string): boolean => {
    const kind = kindOf(event);
    return kind === 'silent' || kind === 'queues';
  };
  const events = plan.hooks.map(({ definition }) => definition.event);
  const names = new Set(events.filter((event) => !isQuiet(event)));
  const patterns = events.filter(isNamePattern).map(compileHookEvent);
  return {
    fires: (event) =>
      names.has(event) ||
      (committed.hasFollower(event) && !isQuiet(event) && !isRead(event)) ||
      (patterns.length > 0 && !isQuiet(event) && patterns.some((isFit) => isFit(event))),
    names: (event) => names.has(event) || committed.hasFollower(event),
  };
}

/**
 * Creates the `write` of a context. A write that an `after` listener follows has a transaction of its own; all others keep
 * the shared commit.
 */
export function createWrite({ bus }: CompiledPlan, services: Services): Context['write'] {
  return ({ event, request, response }, unit, isAlone = false) => {
    if (!isAlone && bus.followers.find(event, request).length === 0) return services.database.write(unit);
    const restores = [request.record(), response.record()];
    const state = { tries: 0 };
    const again = (): Promise<void> => {
      state.tries += 1;
      if (state.tries > 1) for (const restore of restores) restore();
      return unit();
    };
    return services.database.write(again, { isAlone: true });
  };
}

interface Emission extends EventExchange {
  readonly kind: Kind;
}

/** An emit goes through at most three of its methods: `watch`, `commit`, `hold`, the outer one first. */
class Emitter {
  readonly #context: Context;
  readonly #hooked: HookedEvents;
  readonly #kindOf: (event: string) => Kind;

  constructor(context: Context, hooked: HookedEvents) {
    this.#context = context;
    this.#hooked = hooked;
    this.#kindOf = findKinds(context.plan);
  }

  emit(event: string, request: Request, response: Response): Promise<Emitted> {
    const emission = { event, request, response, kind: this.#kindOf(event) };
    const { unit, watch } = currentScope.getStore() ?? {};
    const { followers } = this.#context.plan.bus;
    const isPlain =
      unit === undefined && watch === undefined && !this.#hooked.fires(event) && !followers.hasFollower(event);
    return isPlain ? this.#defer(emission) : this.#watch(emission, unit);
  }

  /** In an `app.transaction`: notes the first write that failed, and refuses those after it. */
  async #watch(emission: Emission, unit: Unit | undefined): Promise<Emitted> {
    const { event, response, kind } = emission;
    const { errorCount } = response;
    const isReading = kind === 'reads' || kind === 'silent';
    const isKnownWrite = !isReading && kind !== 'own';
    if (isKnownWrite) refuseFailed(unit);
    this.#context.watching.noteEvent(event);
    const emitted = await this.#commit(emission);
    if (unit === undefined) return emitted;
    if (response.errorCount === errorCount) {
      // A listener of it may have gone on after a failed emit.
      if (isKnownWrite) refuseFailed(unit);
    } else if (!isReading) {
      const message = response.getMessage();
      unit.failed ??= { event, response, looks: undefined, ...(message === undefined ? {} : { message }) };
    }
    return emitted;
  }

  /** With what follows the event and what commits with it. An error of an `after` listener takes the change back. */
  async #commit(emission: Emission): Promise<Emitted> {
    const { event, request, response, kind } = emission;
    try {
      if (kind === 'self') return await this.#defer(emission);
      const isFiring = this.#hooked.fires(event);
      if (!isFiring && kind !== 'writes' && kind !== 'own') return await this.#followRead(emission);
      const isCommitting = isFiring || this.#context.plan.bus.followers.find(event, request).length > 0;
      return await (isCommitting ? this.#commitWith(emission) : this.#defer(emission));
    } catch (error) {
      if (!(error instanceof RevertedError) || error.response !== response) throw error;
      response.removeResults();
      return EMITTED.incomplete;
    }
  }

  /** An event that does not commit by itself, in one transaction with its listeners. */
  #commitWith(emission: Emission): Promise<Emitted> {
    const { event, request, response } = emission;
    const { plan, services } = this.#context;
    const { errorCount } = response;
    return services.database.transaction(async () => {
      const emitted = await this.#defer(emission);
      const isHandled =
        emitted !== EMITTED.unheard || this.#hooked.names(event) || plan.bus.followers.hasFollower(event);
      if (emitted === EMITTED.incomplete || response.errorCount !== errorCount || !isHandled) return emitted;
      await this.#context.committing(event, request, response);
      return EMITTED.complete;
    });
  }

  /** A read, with what follows it. */
  async #followRead(emission: Emission): Promise<Emitted> {
    const { event, request, response } = emission;
    const { plan, watching } = this.#context;
    const { errorCount } = response;
    const emitted = await this.#defer(emission);
    if (emitted === EMITTED.complete && response.errorCount === errorCount)
      await follow(plan.bus.followers.find(event, request), { event, request, response }, watching);
    return emitted;
  }

  /**
   * What the project's listeners of a write queue (jobs, mails, web hooks) waits for that very write: it is stored with it, and
   * dropped if it is refused or fails.
   */
  #defer(emission: Emission): Promise<Emitted> {
    const { event, request, response, kind } = emission;
    const { bus } = this.#context.plan;
    if (kind === 'queues') {
      const deferred = findDeferredWork();
      const emitted = bus.emit(event, request, response);
      deferred?.track(emitted);
      return emitted;
    }
    if (kind !== 'writes' && kind !== 'self') return bus.emit(event, request, response);
    const scope = currentScope.getStore();
    if (bus.isOwn(event)) {
      // A write inside a listener commits on its own, so what it queues does not wait for the outer one.
      if (scope?.deferred === undefined) return bus.emit(event, request, response);
      const { deferred: _, ...apart } = scope;
      return currentScope.run(apart, () => bus.emit(event, request, response));
    }
    const deferred = new DeferredWork(request);
    return currentScope.run({ ...scope, deferred }, () => this.#emitDeferring(emission, deferred));
  }

  /** Emits a write after the project's listeners ran. */
  async #emitDeferring(emission: Emission, deferred: DeferredWork): Promise<Emitted> {
    const { event, request, response } = emission;
    const { plan, services } = this.#context;
    const { database } = services;
    const { errorCount } = response;
    try {
      const emitted = await plan.bus.emit(event, request, response, (rest) => this.#finish(emission, deferred, rest));
      // A listener answered instead of Treadle: there is no write to wait for.
      if (deferred.isOpen && emitted === EMITTED.incomplete && response.errorCount === errorCount) {
        await deferred.close();
        if (deferred.isWaiting) await database.transaction(() => deferred.store(database));
      }
      return emitted;
    } finally {
      deferred.drop();
    }
  }

  /** Runs Treadle's own listeners of a write, and stores in its transaction what the listeners before them have queued. */
  async #finish({ kind, response }: Emission, deferred: DeferredWork, rest: () => Emitted | Promise<Emitted>) {
    const { database } = this.#context.services;
    await deferred.close();
    if (!deferred.isWaiting) return rest();
    const { errorCount } = response;
    const finish = async (): Promise<Emitted> => {
      const emitted = await rest();
      if (response.errorCount !== errorCount) deferred.drop();
      // What the behaviour itself did not store, such as for an update that changes nothing.
      else if (deferred.isWaiting) await database.transaction(() => deferred.store(database));
      return emitted;
    };
    return kind === 'self' ? finish() : database.transaction(finish);
  }
}

/** Creates the emit of a context. */
export function createEmit(context: Context, hooked: HookedEvents): Context['emit'] {
  const emitter = new Emitter(context, hooked);
  return (event, request, response) => emitter.emit(event, request, response);
}
