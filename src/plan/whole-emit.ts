import { EMITTED, type Emitted } from '../core/bus.ts';
import { isNamePattern } from '../core/pattern.ts';
import type { Request } from '../core/request.ts';
import type { Response } from '../core/response.ts';
import { compileHookEvent, isRead } from '../model/hook-event.ts';
import type { CompiledPlan } from './compile.ts';
import type { Context, Services } from './feature.ts';
import { follow, TakenBack } from './follow.ts';

/** The events that something must commit with. */
export interface Hooked {
  /** Whether a web hook or a `committed` listener waits for the event, by name or by pattern. */
  fires(event: string): boolean;
  /** Whether a web hook names the event itself, or a `committed` listener waits for it: the event needs no listener. */
  names(event: string): boolean;
}

/** Patterns never match events that only read, so these need no transaction. */
export function compileHooked({ hooks, events: known, draft: { committed } }: CompiledPlan): Hooked {
  const events = hooks.map(({ definition }) => definition.event);
  const silent = new Set(known.filter(({ commits }) => commits === 'nothing').map(({ event }) => event));
  const names = new Set(events.filter((event) => !silent.has(event)));
  const patterns = events.filter(isNamePattern).map(compileHookEvent);
  return {
    fires: (event) =>
      names.has(event) ||
      (committed.hears(event) && !silent.has(event) && !isRead(event)) ||
      (patterns.length > 0 && !silent.has(event) && patterns.some((isFit) => isFit(event))),
    names: (event) => names.has(event) || committed.hears(event),
  };
}

/**
 * Creates the `write` of a context. A write that an `after` listener follows has a transaction of its own; all others keep
 * the shared commit.
 */
export function createWrite({ bus }: CompiledPlan, services: Services): Context['write'] {
  return (given, unit, isAlone = false) => {
    const { event, request, response } = given;
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

/**
 * Emits an event with what follows and what commits with it. An error of an `after` listener takes the change back.
 *
 * @param emitHeld The bus's emit. @see createHeldEmit
 */
export function createWholeEmit(context: Context, hooked: Hooked, emitHeld: Context['emit']): Context['emit'] {
  const { plan, services, watching } = context;
  const { bus } = plan;
  const kinds = new Map(plan.events.map(({ event, commits }) => [event, commits]));

  /** An event that does not commit by itself, in one transaction with the rows of its hooks. */
  const emitInTransaction = (event: string, request: Request, response: Response): Promise<Emitted> => {
    const faults = response.faults;
    return services.database.transaction(async () => {
      const emitted = await emitHeld(event, request, response);
      const isHeard = emitted !== EMITTED.unheard || hooked.names(event) || bus.followers.hears(event);
      if (emitted === EMITTED.incomplete || response.faults !== faults || !isHeard) return emitted;
      await context.committing(event, request, response);
      return EMITTED.complete;
    });
  };

  /** A read, with what follows it. */
  const emitRead = async (event: string, request: Request, response: Response): Promise<Emitted> => {
    const faults = response.faults;
    const emitted = await emitHeld(event, request, response);
    if (emitted === EMITTED.complete && response.faults === faults)
      await follow(bus.followers.find(event, request), { event, request, response }, watching);
    return emitted;
  };

  const emit = (event: string, request: Request, response: Response): Promise<Emitted> => {
    const kind = kinds.get(event);
    if (kind === 'self') return emitHeld(event, request, response);
    const isFiring = hooked.fires(event);
    if (!isFiring && (kind === 'nothing' || isRead(event))) return emitRead(event, request, response);
    const isCommitting = isFiring || bus.followers.find(event, request).length > 0;
    return isCommitting ? emitInTransaction(event, request, response) : emitHeld(event, request, response);
  };

  return async (event, request, response) => {
    try {
      return await emit(event, request, response);
    } catch (error) {
      if (!(error instanceof TakenBack) || error.response !== response) throw error;
      response.removeResults();
      return EMITTED.incomplete;
    }
  };
}
