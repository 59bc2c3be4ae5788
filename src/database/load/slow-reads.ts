import type { Caller } from '../../core/scope.ts';

/** A read that took long. Its values serve to explain it and are not kept: they may be personal. */
export interface SlowRead {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Milliseconds that it ran, without the time that it waited for its turn. */
  readonly milliseconds: number;
  /** Undefined for a read that failed or was cut off. */
  readonly rows: number | undefined;
  /** Who waited for it; undefined for work outside requests. */
  readonly caller: Caller | undefined;
}

/** What `dev` shows on a page that made a slow search. */
export interface SlowAdvice {
  /** Path of the page or call. */
  readonly path: string;
  /** Milliseconds since 1970 at which it ended. */
  readonly at: number;
  readonly milliseconds: number;
  /** The search in words, without values. */
  readonly search: string;
  /** How it is read, in words. */
  readonly plan: string | undefined;
  /** What to do about it, such as an index. */
  readonly remedy: string | undefined;
}

/** Where slow reads are told. A fast read costs one comparison. */
export class SlowReads {
  /** Milliseconds from which a read is slow. Without a listener none is. */
  least = Number.POSITIVE_INFINITY;
  #hear: ((read: SlowRead) => void) | undefined;

  /** Tells the last listener of reads that ran this long; returns a function that ends it. */
  listen(milliseconds: number, hear: (read: SlowRead) => void): () => void {
    this.least = milliseconds;
    this.#hear = hear;
    return () => {
      if (this.#hear !== hear) return;
      this.least = Number.POSITIVE_INFINITY;
      this.#hear = undefined;
    };
  }

  /** Called with advice about searches of pages. Undefined unless somebody shows it. */
  advise: ((advice: SlowAdvice) => void) | undefined;

  tell(
    { sql, parameters, caller }: Omit<SlowRead, 'milliseconds' | 'rows'>,
    milliseconds: number,
    rows?: number,
  ): void {
    this.#hear?.({ sql, parameters, caller, milliseconds, rows });
  }
}
