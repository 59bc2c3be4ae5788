import { type Clock, waitAtMost } from '../../core/clock.ts';
import { type FailedCheck, findFailure } from '../health.ts';
import { quote } from '../table-sql.ts';
import type { Connection } from './connection.ts';
import type { Reserve } from './disk-reserve.ts';
import { checkRoom } from './disk-space.ts';
import type { FileGuard } from './file-guard.ts';
import type { Writer } from './writer.ts';

/** Milliseconds that a check waits for the writer's turn; a later check uses its result. */
const WRITER_MILLISECONDS = 250;

/** Every ordinary table. Reading `sqlite_schema` reads from the disk too. */
const TABLES = "select name from sqlite_schema where type = 'table' and rootpage > 0 order by name";

export interface SqliteHealthParts {
  readonly writer: Writer;
  readonly clock: Clock;
  /** Opens a connection for the health checks only. */
  readonly openReader: () => Promise<Connection>;
  readonly file: string;
  readonly guard: FileGuard;
  /** Recreated once there is room. */
  readonly reserve?: Reserve | undefined;
}

/** Checks whether a database file can still be read and written. Writes nothing. */
export class SqliteHealth {
  readonly #parts: SqliteHealthParts;
  #reader: Promise<Connection> | undefined;
  /** The turn that a check waits for, and the result of the last one. */
  #turn: Promise<void> | undefined;
  #lastTurn: unknown;

  constructor(parts: SqliteHealthParts) {
    this.#parts = parts;
  }

  async check(): Promise<readonly FailedCheck[]> {
    const { guard } = this.#parts;
    const found = await Promise.all([
      findFailure('read', () => this.#checkRead()),
      findFailure('writer', () => this.#checkWriter()),
      findFailure('file', async () => guard.check()),
      findFailure('room', () => this.#checkRoom()),
    ]);
    return found.flat();
  }

  async structureVersion(): Promise<string> {
    const [row] = await (await this.#open()).control('pragma schema_version');
    return String(row?.schema_version);
  }

  #open(): Promise<Connection> {
    this.#reader ??= this.#parts.openReader().catch((error: unknown) => {
      this.#reader = undefined;
      throw error;
    });
    return this.#reader;
  }

  async #checkRoom(): Promise<void> {
    await checkRoom(this.#parts.file);
    await this.#parts.reserve?.keep();
  }

  /**
   * Reads the first page of every table, after SQLite has dropped its cache: `select 1` alone would read
   * nothing.
   */
  async #checkRead(): Promise<void> {
    const reader = await this.#open();
    await reader.control('pragma shrink_memory');
    const tables = await reader.control(TABLES);
    const script = tables.map(({ name }) => `select 1 from ${quote(String(name))} limit 1`).join(';');
    await reader.control(script, 'exec');
  }

  /**
   * Begins a transaction and rolls it back, which takes SQLite's lock and writes nothing. If its turn does
   * not come soon, gives the result of the last turn: a lock may take 5 s, during which the writer works.
   */
  async #checkWriter(): Promise<void> {
    const { writer, clock } = this.#parts;
    this.#turn ??= writer
      .tryTurn()
      .then(
        () => {
          this.#lastTurn = undefined;
        },
        (error: unknown) => {
          this.#lastTurn = error;
        },
      )
      .finally(() => {
        this.#turn = undefined;
      });
    await waitAtMost(clock, this.#turn, WRITER_MILLISECONDS);
    if (this.#lastTurn !== undefined) throw this.#lastTurn;
  }

  async close(): Promise<void> {
    await this.#turn;
    await (await this.#reader?.catch(() => undefined))?.close();
  }
}
