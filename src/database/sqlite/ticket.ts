import type { TreadleError } from '../../core/errors.ts';
import type { WriterSession } from './writer-session.ts';

/**
 * `single`: one statement. `row`: one statement, and what is collected of it. `unit`: a short unit of writes. `alone`: an interactive transaction.
 * `restructure`: one with foreign keys off. `bare`: no transaction.
 */
export type TicketKind = 'single' | 'row' | 'unit' | 'alone' | 'restructure' | 'bare';

/** A place in the writer's queue, with promises for its turn, its end and its commit. */
export class Ticket {
  readonly kind: TicketKind;
  /** Clock time by which its turn must come. */
  readonly deadline: number;
  /** Clock time until which later tickets go first; 0 if it does not let others pass. */
  readonly patientUntil: number;
  readonly turn: Promise<WriterSession>;
  /** Resolves to true if its writes are to be kept. */
  readonly ended: Promise<boolean>;
  /** Resolves after the commit, or after the rollback if its writes are not kept. */
  readonly settled: Promise<void>;
  // Each is set by its promise's constructor, which runs immediately.
  grant: (session: WriterSession) => void = nothing;
  refuse: (error: TreadleError) => void = nothing;
  finish: (isDone: boolean) => void = nothing;
  settle: (error?: TreadleError) => void = nothing;

  constructor(kind: TicketKind, deadline: number, patientUntil = 0) {
    this.kind = kind;
    this.deadline = deadline;
    this.patientUntil = patientUntil;
    this.turn = new Promise((resolve, reject) => {
      this.grant = resolve;
      this.refuse = reject;
    });
    this.ended = new Promise((resolve) => {
      this.finish = resolve;
    });
    this.settled = new Promise((resolve, reject) => {
      this.settle = (error) => (error === undefined ? resolve() : reject(error));
    });
  }

  /** True if it may share its commit with others. */
  get isShared(): boolean {
    return isOneStatement(this.kind) || this.kind === 'unit';
  }
}

/** True if SQLite itself undoes it when it fails. */
export const isOneStatement = (kind: TicketKind): boolean => kind === 'single' || kind === 'row';

function nothing(): void {}
