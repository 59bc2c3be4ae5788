import { createHash } from 'node:crypto';
import { apartAsSystem } from '../../core/access.ts';
import { BoundedMap } from '../../core/bounded-map.ts';
import { toSeconds } from '../../core/clock.ts';
import type { SlowRead } from '../../database/load/slow-reads.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Context, Worker } from '../../plan/feature.ts';
import type { SearchAdvice } from '../../store/advice/advise.ts';
import type { SearchNote } from '../../store/read/search-note.ts';
import { getSearcher } from '../../store/read/searcher.ts';
import { loadAdvice } from './late.ts';
import { addShapes, MOST_SHAPES, type SlowShape } from './sql.ts';

/** In `dev` a page that takes this long on a small database will be slow on a real one. */
const DEVELOPMENT_MS = 20;
/** Milliseconds after which slow searches are stored. */
const WRITE_MS = 30_000;
/** The same in `dev`: the page that made a search shows it then. */
const DEVELOPMENT_WRITE_MS = 100;
/** Milliseconds between two log lines about one search. */
const TELL_MS = 3_600_000;

/** What this process has seen of a search. */
interface SeenShape {
  readonly schema: SchemaModel;
  readonly note: SearchNote;
  readonly sql: string;
  readonly since: number;
  /** The values to explain it with, until that is done. */
  parameters: readonly unknown[] | undefined;
  advice: SearchAdvice | undefined;
  toldAt: number;
  /** Since the last write. */
  count: number;
  worst: number;
  total: number;
  rows: number;
  seen: number;
  /** Paths of pages that `dev` has to tell, with the time and the milliseconds of each. */
  waiting: { readonly path: string; readonly at: number; readonly milliseconds: number }[];
}

/** The watch of this process. */
interface SlowPending {
  /** Writes what was seen since the last time. */
  write(): Promise<void>;
}

/** For `memory.get`. A process without workers, such as a command, has seen nothing. */
export const createPending = (): SlowPending => ({ write: async () => {} });

const UNKNOWN: SearchAdvice = { plan: null, isTaken: null };

const toId = ({ schema, sql }: SeenShape): string =>
  createHash('sha256').update(`${schema.name}\n${sql}`).digest('base64url').slice(0, 22);

/** Takes the figures since the last time. */
function take(shape: SeenShape): SlowShape {
  const { note, since, seen, count, worst, total, rows } = shape;
  Object.assign(shape, { count: 0, worst: 0, total: 0 });
  const figures = { count, worst, total, rows, since, seen };
  const advice = shape.advice ?? UNKNOWN;
  return { id: toId(shape), schema: shape.schema.name, note, statement: shape.sql, advice, ...figures };
}

class SlowWatch implements Worker {
  readonly #context: Context;
  readonly #isDevelopment: boolean;
  readonly #shapes = new BoundedMap<SeenShape>(MOST_SHAPES);
  readonly #end: () => void;
  #cancel: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(context: Context) {
    const { plan, services } = context;
    const { slowMilliseconds } = plan.model.settings.limits;
    this.#context = context;
    this.#isDevelopment = plan.isDevelopment;
    const least = plan.isDevelopment ? Math.min(slowMilliseconds, DEVELOPMENT_MS) : slowMilliseconds;
    services.memory.get(createPending).write = () => this.#flush();
    this.#end = services.slowReads.listen(least, (read) => this.#hear(read));
  }

  /** Counts a slow read. What is no search of a schema, such as a query of the project's code, is left out. */
  #hear(read: SlowRead): void {
    const { clock } = this.#context.services;
    const now = clock.now();
    const shape = this.#shapes.get(read.sql) ?? this.#note(read, now);
    if (shape === undefined) return;
    const took = Math.round(read.milliseconds);
    shape.count += 1;
    shape.total += took;
    shape.worst = Math.max(shape.worst, took);
    shape.rows = Math.max(shape.rows, read.rows ?? 0);
    shape.seen = toSeconds(now);
    if (this.#isDevelopment && read.caller?.path !== undefined && shape.waiting.length < MOST_SHAPES)
      shape.waiting.push({ path: read.caller.path, at: now, milliseconds: took });
    this.#cancel ??= clock.after(this.#isDevelopment ? DEVELOPMENT_WRITE_MS : WRITE_MS, () => void this.#flush());
  }

  #note({ sql, parameters }: SlowRead, now: number): SeenShape | undefined {
    const { plan, services } = this.#context;
    const note = getSearcher(plan.model).note(services.database, sql);
    const schema = note && plan.model.schemas.get(note.schema);
    if (note === undefined || schema === undefined) return undefined;
    const figures = { count: 0, worst: 0, total: 0, rows: 0, seen: 0, toldAt: Number.NEGATIVE_INFINITY };
    const shape: SeenShape = {
      ...{ schema, note, sql, parameters, since: toSeconds(now), advice: undefined, waiting: [] },
      ...figures,
    };
    this.#shapes.set(sql, shape);
    return shape;
  }

  #flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#writing = this.#writing.then(() =>
      apartAsSystem(() => this.#write()).catch((error: unknown) =>
        this.#context.services.log.warn('search.slow.unsaved', { error }),
      ),
    );
    return this.#writing;
  }

  async #write(): Promise<void> {
    const { database, clock } = this.#context.services;
    for (const shape of this.#listChanged()) await this.#explain(shape);
    // What is seen from here on counts for the next time.
    const changed = this.#listChanged().map((shape) => [shape, take(shape)] as const);
    const now = clock.now();
    for (const [shape, taken] of changed) await this.#tell(shape, taken, now);
    const rows = changed.map(([, taken]) => taken);
    if (rows.length > 0) await addShapes(database, rows, toSeconds(now));
  }

  #listChanged(): SeenShape[] {
    return [...this.#shapes.values()].filter(({ count }) => count > 0);
  }

  /** Once for each search, and one after the other: it is no part of any request. */
  async #explain(shape: SeenShape): Promise<void> {
    const { parameters, schema, sql, note } = shape;
    if (parameters === undefined) return;
    shape.parameters = undefined;
    const { adviseSearch } = await loadAdvice();
    const { plan, services } = this.#context;
    const { database, log } = services;
    const { model } = plan;
    try {
      shape.advice = await adviseSearch(database, { model, schema, sql, parameters }, note);
    } catch (error) {
      log.warn('search.slow.unexplained', { schema: schema.name, error });
    }
  }

  /** One line of the log an hour, and in `dev` each page that made the search. */
  async #tell(shape: SeenShape, { note, advice, count, worst }: SlowShape, now: number): Promise<void> {
    const { services } = this.#context;
    const { schema, waiting } = shape;
    const { toWords } = await loadAdvice();
    const { search, plan, remedy } = toWords(schema, note, advice);
    for (const page of waiting.splice(0)) services.slowReads.advise?.({ ...page, search, plan, remedy });
    if (now - shape.toldAt < TELL_MS) return;
    shape.toldAt = now;
    services.log.warn('search.slow', { search, count, worst, plan, remedy });
  }

  wake(): void {}

  /** Writes what was seen since the last time. */
  async stop(): Promise<void> {
    this.#end();
    await this.#flush();
  }
}

export const createSlowWatch = (context: Context): Worker => new SlowWatch(context);
