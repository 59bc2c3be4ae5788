import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import process from 'node:process';
import type { ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import { TreadleError } from '../../core/errors.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import type { Host } from './hosts.ts';
import { SESSION_TARGETS, type SessionTarget } from './session-target.ts';
import { LIMITS } from './settings.ts';

/** The content of a `postgres://` URL. */
export interface PostgresTarget {
  /** Configuration for `pg`; host and port are those of the first server. */
  readonly config: ClientConfig;
  /** The servers in the URL's order; at least one. */
  readonly hosts: readonly Host[];
  /** `target_session_attrs`. */
  readonly session: SessionTarget;
  /** Milliseconds to open a connection. */
  readonly connectMilliseconds: number;
  /** Statement time-out in milliseconds; 0 for none. */
  readonly statementMilliseconds: number;
  /** Schema of the project's tables; if undefined, the server's own `search_path`. */
  readonly schema: string | undefined;
  /** Maximum connections. */
  readonly pool: number;
  /** True to prepare statements once and keep them; some poolers that share connections do not support it. */
  readonly isPreparing: boolean;
}

const DEFAULT_POOL = 10;
const MAX_POOL = 500;
/** Default milliseconds to open a connection, so that a request is answered within 2 s. */
const CONNECT_MILLISECONDS = 1500;
const MAX_CONNECT_SECONDS = 60;
const MAX_STATEMENT_MILLISECONDS = 3_600_000;
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
  'target_session_attrs',
  'connect_timeout',
  'statement_timeout',
];
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

function refuse(message: string, hint: string): never {
  throw new TreadleError('DATABASE_URL_UNSUPPORTED', message, { hint });
}

function readFile(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return refuse(`The file that ${name} of the database URL names cannot be read.`, 'Name an existing PEM file.');
  }
}

/**
 * TLS as in libpq: `require` encrypts without verifying the server, unless there is a root certificate.
 * `allow` and `prefer` guarantee nothing, and are not encrypted.
 */
function readTls(query: URLSearchParams): ConnectionOptions | false {
  const mode = query.get('sslmode') ?? 'prefer';
  if (!SSL_MODES.includes(mode)) {
    refuse(`The database URL has an unknown sslmode: ${mode}.`, `Write one of ${SSL_MODES.join(', ')}.`);
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

function readPool(text: string | null): number {
  if (text === null) return DEFAULT_POOL;
  const size = Number(text);
  if (Number.isInteger(size) && size >= 1 && size <= MAX_POOL) return size;
  return refuse(`The database URL has pool=${text}.`, `Write the number of connections, 1 to ${MAX_POOL}.`);
}

function readNumber(query: URLSearchParams, name: string, { least, most, unit }: NumberRule): number | undefined {
  const text = toPart(query.get(name));
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  return refuse(`The database URL has ${name}=${text}.`, `Write a number of ${unit}, ${least} to ${most}.`);
}

interface NumberRule {
  readonly least: number;
  readonly most: number;
  readonly unit: string;
}

function readSession(text: string | undefined): SessionTarget {
  const found = SESSION_TARGETS.find((target) => target === (text ?? 'any'));
  if (found !== undefined) return found;
  const near = toDidYouMean(text ?? '', SESSION_TARGETS);
  const hint = [near, `Write one of ${SESSION_TARGETS.join(', ')}.`].filter(Boolean).join(' ');
  return refuse(`The database URL has target_session_attrs=${text}.`, hint);
}

/**
 * A decoded part of a URL; undefined if empty, so that `pg` uses its default (PGUSER, PGPASSWORD and so on).
 */
const toPart = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text === '' ? undefined : text;

function decode(text: string): string | undefined {
  try {
    return toPart(decodeURIComponent(text));
  } catch {
    return refuse('The database URL has a "%" that encodes nothing.', 'Write "%25" for "%" in a name or a password.');
  }
}

const UNREADABLE =
  'Write postgres://user:password@host:5432/name, with "%40" for "@" and "%2F" for "/" in the password; several servers as host:port,host:port.';

function toUrl(text: string): URL {
  // The scheme is unknown to `URL`, so a host may be missing: postgres:///name is the local socket.
  if (URL.canParse(text)) return new URL(text);
  return refuse('The database URL cannot be read.', UNREADABLE);
}

/** The URL with only its first server, as `URL` requires, and the names of all servers. */
function parse(text: string): { readonly url: URL; readonly names: readonly string[] } {
  const [, scheme = '', user = '', servers = '', rest = ''] =
    /^([a-z]+:\/\/)((?:[^/?#]*@)?)([^/?#@]*)(.*)$/is.exec(text) ?? [];
  const names = servers.split(',');
  return { url: toUrl(names.length > 1 ? `${scheme}${user}${names[0]}${rest}` : text), names };
}

function toPort(text: string | undefined): number | undefined {
  const port = toPart(text);
  if (port === undefined) return undefined;
  if (/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536) return Number(port);
  return refuse(`The database URL has the port ${port}.`, 'Write a number from 1 to 65535.');
}

/**
 * The servers of the URL. `host` and `port` in the query may be lists too, with one port for all or one for
 * each.
 */
function listHosts(url: URL, names: readonly string[]): Host[] {
  const { protocol, searchParams: query } = url;
  const listed = toPart(query.get('host'))?.split(',');
  const own = names.map((name) => toUrl(`${protocol}//${name}/`));
  const hosts =
    listed === undefined
      ? own.map(({ hostname }) => decode(hostname.replace(/^\[(.*)\]$/, '$1')))
      : listed.map((name) => toPart(name));
  const ports = toPart(query.get('port'))?.split(',');
  if (ports !== undefined && ports.length !== 1 && ports.length !== hosts.length) {
    refuse(
      'The database URL lists another number of ports than of hosts.',
      'Write one port for all, or one for each host.',
    );
  }
  return hosts.map((host, index) => {
    const inUrl = own[listed === undefined ? index : 0]?.port;
    return { host, port: toPort(ports === undefined ? inUrl : ports[ports.length === 1 ? 0 : index]) };
  });
}

/** In libpq 0 and a missing value mean no limit; here a missing value keeps a request under 2 s. */
function readConnectMilliseconds(query: URLSearchParams): number {
  const rule = { least: 1, most: MAX_CONNECT_SECONDS, unit: 'seconds' };
  const seconds = readNumber(query, 'connect_timeout', rule);
  return seconds === undefined ? CONNECT_MILLISECONDS : seconds * 1000;
}

function readStatementMilliseconds(query: URLSearchParams): number {
  const rule = { least: 0, most: MAX_STATEMENT_MILLISECONDS, unit: 'milliseconds (0 for no limit)' };
  return readNumber(query, 'statement_timeout', rule) ?? LIMITS.statement_timeout;
}

/** The user that runs the process, as `psql` takes it; undefined where the system knows none, such as in some containers. */
function findLogin(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/**
 * Parses `postgres://user:password@host:port,host:port/name?schema=…&pool=…&sslmode=…`. Missing parts come
 * from `PGHOST`, `PGPORT`, `PGUSER`, `PGPASSWORD` and `PGDATABASE`; the user is at last that of the process.
 *
 * @throws DATABASE_URL_UNSUPPORTED, naming the error but never the password.
 * @see https://www.postgresql.org/docs/current/libpq-connect.html section 34.1.1.2
 */
export function parsePostgresUrl(text: string): PostgresTarget {
  const { url, names } = parse(text);
  const { username, password, pathname, searchParams: query } = url;
  for (const name of query.keys()) {
    if (PARAMETERS.includes(name)) continue;
    const hint = [toDidYouMean(name, PARAMETERS), `Known are ${PARAMETERS.join(', ')}.`].filter(Boolean).join(' ');
    refuse(`The database URL has an unknown parameter "${name}".`, hint);
  }
  const hosts = listHosts(url, names);
  const given = {
    ...hosts[0],
    user: toPart(query.get('user')) ?? decode(username) ?? process.env.PGUSER ?? findLogin(),
    password: toPart(query.get('password')) ?? decode(password),
    database: toPart(query.get('dbname')) ?? decode(pathname.slice(1)),
    options: toPart(query.get('options')),
  };
  return {
    config: {
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      application_name: query.get('application_name') ?? 'treadle',
      enableChannelBinding: query.get('channel_binding') === 'require',
      ssl: readTls(query),
    },
    hosts,
    session: readSession(toPart(query.get('target_session_attrs'))),
    connectMilliseconds: readConnectMilliseconds(query),
    statementMilliseconds: readStatementMilliseconds(query),
    schema: toPart(query.get('schema')),
    pool: readPool(query.get('pool')),
    isPreparing: query.get('prepare') !== '0',
  };
}
