import type { TreadleError } from '../../core/errors.ts';
import type { Session } from '../transaction.ts';

/**
 * `single`: one statement. `unit`: a short unit of writing. `alone`: an interactive transaction. `restructure`: one
 * with foreign keys off. `bare`: no transaction at all.
 */
export type TicketKind = 'single' | 'unit' | 'alone' | 'restructure' | 'bare';

/** A place in the writer's queue: told when its turn comes, tells when it is done, told when that is on the disk. */
export class Ticket {
  readonly kind: TicketKind;
  /** Clock time until which its turn must have come. */
  readonly deadline: number;
  /** Clock time until which those that came later go first; 0 for one that does not stand back. */
  readonly patientUntil: number;
  readonly turn: Promise<Session>;
  /** Whether what it did is to be kept. */
  readonly ended: Promise<boolean>;
  /** Resolves after the commit, or after the rollback where it is not to be kept. */
  readonly settled: Promise<void>;
  // Each is set by its promise's constructor, which runs at once.
  grant: (session: Session) => void = nothing;
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

  /** Whether it may share its commit with others. */
  get isShared(): boolean {
    return this.kind === 'single' || this.kind === 'unit';
  }
}

function nothing(): void {}
