import { BoundedMap } from '../../../core/bounded-map.ts';
import { once } from '../../../core/memoize.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Services } from '../../../plan/feature.ts';
import { compileTokenSource } from '../sql.ts';
import { APP, GRANT, TOKEN } from '../tables.ts';

/** Milliseconds after which a token that another process revoked is refused. */
const OTHERS_MILLISECONDS = 20;
const MOST_TOKENS = 1000;
/** The tables of the query, and those whose removed rows take rows of them along. */
const TABLES = [TOKEN, APP, GRANT, 'treadle_auth', 'profile'];

interface Source {
  /** Its promise until it is there: requests of the same moment share the statement. */
  row: Row | Promise<Row | undefined>;
  /** The database's count of writes to {@link TABLES} before the row was read. */
  readonly writes: number;
  readonly readAt: number;
}

/**
 * Finds the row of a token that is not revoked, by the token's hash. A row that was read lately is not read again: as
 * long as this process commits no write to the tables it comes from, and for 20 ms, so that other processes and programs
 * are noticed too. A busy client costs one statement in place of hundreds.
 */
export function createTokenSource({
  database,
  clock,
}: Services): (hash: string) => Row | undefined | Promise<Row | undefined> {
  const query = once(() => compileTokenSource(database));
  const known = new BoundedMap<Source>(MOST_TOKENS);
  const versions = database.recentVersions;
  versions.watch(TABLES);
  const isCurrent = ({ writes, readAt }: Source): boolean =>
    writes === versions.watched && Math.abs(clock.now() - readAt) < OTHERS_MILLISECONDS;
  const read = (hash: string): Promise<Row | undefined> => database.run(query(), [hash]).then(([row]) => row);
  const share = (hash: string, writes: number): Promise<Row | undefined> => {
    const row = read(hash);
    const source: Source = { row, writes, readAt: clock.now() };
    known.set(hash, source);
    const forget = (): void => {
      if (known.get(hash) === source) known.delete(hash);
    };
    row.then((found) => {
      if (found === undefined) forget();
      else source.row = found;
    }, forget);
    return row;
  };
  return (hash) => {
    if (database.isInTransaction) return read(hash);
    const source = known.get(hash);
    // Another request started this read. If it failed there, for example because that client disconnected, read again.
    if (source && isCurrent(source))
      return source.row instanceof Promise ? source.row.catch(() => read(hash)) : source.row;
    const writes = versions.watched;
    return writes === undefined ? read(hash) : share(hash, writes);
  };
}
