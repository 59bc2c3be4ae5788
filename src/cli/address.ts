import { isLoopbackHost } from '../core/text/host.ts';
import type { Settings } from '../model/shape.ts';
import { isTrusting } from '../model/trusted-proxies.ts';
import { readEnvironment } from '../project/environment.ts';
import { createUsageError } from './failure.ts';
import { findText, type Invocation, type OptionSpec } from './spec.ts';

/**
 * Options of the commands that serve. They have no defaults here, because the environment has priority over defaults.
 */
export const ADDRESS_OPTIONS: readonly OptionSpec[] = [
  { name: 'port', value: 'port', description: 'port; 0 picks a free one. Default: PORT, or 3000' },
  { name: 'host', value: 'host', description: 'address to listen on. Default: HOST, or 127.0.0.1' },
];

export interface Address {
  readonly port: number;
  readonly host: string;
}

/**
 * A warning if clients reach the server by plain http; undefined if it listens on this machine only, or a proxy
 * provides https. A public base URL with http is reported as a problem of the settings.
 */
export function findPlainHttp(host: string, { baseUrl, trustProxy }: Settings['server']): string | undefined {
  if (isLoopbackHost(host) || baseUrl?.startsWith('https://') || isTrusting(trustProxy)) return undefined;
  return `The server listens on ${host} by plain http, so others on the network can read passwords, cookies and tokens. Put a proxy with TLS in front, set server.baseUrl to its https address and server.trustProxy to the number of proxies, and listen on 127.0.0.1.`;
}

/** The address to listen on: from the flags, then the environment, then 127.0.0.1:3000. */
export function readAddress(invocation: Invocation): Address {
  const environment = readEnvironment(invocation.root(), invocation.env);
  const given = findText(invocation.values, 'port');
  if (given !== undefined && !(/^\d{1,5}$/.test(given) && Number(given) <= 65_535)) {
    throw createUsageError(`--port can't be "${given}".`, 'A port is a whole number from 0 to 65535.');
  }
  const port = given === undefined ? (environment.port ?? 3000) : Number(given);
  return { port, host: findText(invocation.values, 'host') ?? environment.host ?? '127.0.0.1' };
}
