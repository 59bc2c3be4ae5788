import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import { TreadleError } from '../../core/errors.ts';
import { toDidYouMean } from '../../core/suggest.ts';

/** What a `postgres://` URL says. */
export interface PostgresTarget {
  /** What the package `pg` takes. */
  readonly config: ClientConfig;
  /** Schema that holds the project's tables; the server's own `search_path` where undefined. */
  readonly schema: string | undefined;
  /** Connections at most. */
  readonly pool: number;
  /** Whether statements are prepared once and kept; a pooler that hands connections from one to another may not bear it. */
  readonly isPreparing: boolean;
}

const DEFAULT_POOL = 10;
const MAX_POOL = 500;
const PARAMETERS = [
  'schema',
  'pool',
  'prepare',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'application_name',
  'channel_binding',
  'options',
];
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

function refuse(message: string, hint: string): never {
  throw new TreadleError('DATABASE_URL_UNSUPPORTED', message, { hint });
}

function readFile(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return refuse(`The file that ${name} of the database URL names cannot be read.`, 'Name a PEM file that is there.');
  }
}

/**
 * TLS as libpq means it: `require` encrypts without asking who answers, unless a root certificate is named.
 * `allow` and `prefer` promise nothing, and stay in clear.
 */
function toTls(query: URLSearchParams): ConnectionOptions | false {
  const mode = query.get('sslmode') ?? 'prefer';
  if (!SSL_MODES.includes(mode)) {
    refuse(`The database URL has sslmode=${mode}, which is none.`, `Write one of ${SSL_MODES.join(', ')}.`);
  }
  if (mode === 'disable' || mode === 'allow' || mode === 'prefer') return false;
  const root = query.get('sslrootcert');
  const isSystem = root === 'system';
  const files = [
    ['ca', isSystem ? null : root, 'sslrootcert'],
    ['cert', query.get('sslcert'), 'sslcert'],
    ['key', query.get('sslkey'), 'sslkey'],
  ] as const;
  const parts = files.flatMap(([key, path, name]) => (path === null ? [] : [[key, readFile(path, name)] as const]));
  const isVerified = mode !== 'require' || root !== null;
  const isNamed = mode === 'verify-full' || isSystem;
  return {
    ...Object.fromEntries(parts),
    rejectUnauthorized: isVerified,
    ...(isVerified && !isNamed ? { checkServerIdentity: () => undefined } : {}),
  };
}

function toPool(text: string | null): number {
  if (text === null) return DEFAULT_POOL;
  const size = Number(text);
  if (Number.isInteger(size) && size >= 1 && size <= MAX_POOL) return size;
  return refuse(`The database URL has pool=${text}.`, `Write the number of connections, 1 to ${MAX_POOL}.`);
}

/** Decoded part of a URL; undefined where it is empty, so that `pg` takes its default (PGUSER, PGPASSWORD and the like). */
const toPart = (text: string | null): string | undefined => (text === null || text === '' ? undefined : text);

function decode(text: string): string | undefined {
  try {
    return toPart(decodeURIComponent(text));
  } catch {
    return refuse('The database URL has a "%" that encodes nothing.', 'Write "%25" for "%" in a name or a password.');
  }
}

function parse(url: string): URL {
  // The scheme is one that URL does not know, so a host may be missing: postgres:///name is the local socket.
  if (URL.canParse(url)) return new URL(url);
  return refuse(
    'The database URL cannot be read.',
    'Write postgres://user:password@host:5432/name, with "%40" for "@" and "%2F" for "/" in the password.',
  );
}

/**
 * Reads `postgres://user:password@host:port/name?schema=…&pool=…&sslmode=…`. What is left out comes from `PGHOST`,
 * `PGPORT`, `PGUSER`, `PGPASSWORD` and `PGDATABASE`.
 *
 * @throws DATABASE_URL_UNSUPPORTED, naming what is wrong and never the password.
 * @see https://www.postgresql.org/docs/current/libpq-connect.html section 34.1.1.2
 */
export function parsePostgresUrl(url: string): PostgresTarget {
  const { hostname, port, username, password, pathname, searchParams: query } = parse(url);
  for (const name of query.keys()) {
    if (PARAMETERS.includes(name)) continue;
    const hint = [toDidYouMean(name, PARAMETERS), `Known are ${PARAMETERS.join(', ')}.`].filter(Boolean).join(' ');
    refuse(`The database URL has a parameter "${name}" that is not known.`, hint);
  }
  const host = toPart(query.get('host')) ?? decode(hostname.replace(/^\[(.*)\]$/, '$1'));
  const given = {
    host,
    user: toPart(query.get('user')) ?? decode(username),
    password: toPart(query.get('password')) ?? decode(password),
    database: toPart(query.get('dbname')) ?? decode(pathname.slice(1)),
    options: toPart(query.get('options')),
  };
  const portText = toPart(query.get('port')) ?? toPart(port);
  return {
    config: {
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      ...(portText === undefined ? {} : { port: Number(portText) }),
      application_name: query.get('application_name') ?? 'treadle',
      enableChannelBinding: query.get('channel_binding') === 'require',
      ssl: toTls(query),
    },
    schema: toPart(query.get('schema')),
    pool: toPool(query.get('pool')),
    isPreparing: query.get('prepare') !== '0',
  };
}
