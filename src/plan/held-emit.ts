import { EMITTED, type Emitted } from '../core/bus.ts';
import type { Request } from '../core/request.ts';
import type { Response } from '../core/response.ts';
import { currentScope } from '../core/scope.ts';
import type { Database } from '../database/database.ts';
import { isRead } from '../model/hook-event.ts';
import type { Context, Plan } from './feature.ts';
import { findHolder, HeldWork } from './held-work.ts';

/** Events that queue. */
const QUEUING = ['job-queue', 'mail-send'];

/** `self`: its behaviour stores held work by {@link Context.committing}. `unit`: it has no write of its own that could. */
type Kind = 'self' | 'unit' | 'queue';

function listKinds({ events }: Pick<Plan, 'events'>): Map<string, Kind> {
  const kinds = new Map<string, Kind>(QUEUING.map((event) => [event, 'queue']));
  for (const { event, commits } of events)
    if (commits !== 'nothing' && !isRead(event)) kinds.set(event, commits === 'self' ? 'self' : 'unit');
  return kinds;
}

interface Writing {
  readonly event: string;
  readonly request: Request;
  readonly response: Response;
  readonly kind: Kind;
  readonly held: HeldWork;
}

/** Runs Treadle's own listeners of a write, and stores in its transaction what the listeners before them have queued. */
async function finishWriting(database: Database, writing: Writing, rest: () => Emitted | Promise<Emitted>) {
  const { held, kind, response } = writing;
  await held.close();
  if (!held.isWaiting) return rest();
  const faults = response.faults;
  const finish = async (): Promise<Emitted> => {
    const emitted = await rest();
    if (response.faults !== faults) held.drop();
    // What the behaviour itself did not store, such as for an update that changes nothing.
    else if (held.isWaiting) await database.transaction(() => held.store(database));
    return emitted;
  };
  return kind === 'self' ? finish() : database.transaction(finish);
}

/** Emits a write that the project's listeners hear first: what they queue waits for that write. */
async function emitHolding(plan: Plan, database: Database, writing: Writing): Promise<Emitted> {
  const { event, request, response, held } = writing;
  const faults = response.faults;
  try {
    const emitted = await plan.bus.emit(event, request, response, (rest) => finishWriting(database, writing, rest));
    // A listener answered instead of Treadle: there is no write to wait for.
    if (held.isOpen && emitted === EMITTED.incomplete && response.faults === faults) {
      await held.close();
      if (held.isWaiting) await database.transaction(() => held.store(database));
    }
    return emitted;
  } finally {
    held.drop();
  }
}

/**
 * The bus's emit, by which what the project's listeners of a write queue (jobs, mails, web hooks) waits for that very
 * write: it is stored with it, and dropped if it is refused or fails.
 */
export function createHeldEmit(plan: Plan, database: Database): Context['emit'] {
  const kinds = listKinds(plan);
  const { bus } = plan;
  return (event, request, response) => {
    const kind = kinds.get(event);
    if (kind === undefined) return bus.emit(event, request, response);
    if (kind === 'queue') {
      const holder = findHolder();
      const emitted = bus.emit(event, request, response);
      holder?.track(emitted);
      return emitted;
    }
    const scope = currentScope.getStore();
    if (bus.isOwn(event)) {
      // A write inside a listener commits on its own, so what it queues does not wait for the outer one.
      if (scope?.held === undefined) return bus.emit(event, request, response);
      const { held: _, ...apart } = scope;
      return currentScope.run(apart, () => bus.emit(event, request, response));
    }
    const held = new HeldWork(request);
    return currentScope.run({ ...scope, held }, () =>
      emitHolding(plan, database, { event, request, response, kind, held }),
    );
  };
}
