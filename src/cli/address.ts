import { readEnvironment } from '../project/environment.ts';
import { createUsageError } from './failure.ts';
import { findText, type Invocation, type OptionSpec } from './spec.ts';

/** Options of the commands that serve. No defaults here, since the environment comes between. */
export const ADDRESS_OPTIONS: readonly OptionSpec[] = [
  { name: 'port', value: 'port', description: 'port; 0 takes a free one. PORT, else 3000, if left out' },
  { name: 'host', value: 'host', description: 'address to listen on. HOST, else 127.0.0.1, if left out' },
];

export interface Address {
  readonly port: number;
  readonly host: string;
}

/** Where to listen: the flags, then the environment, then 127.0.0.1:3000. */
export function readAddress(invocation: Invocation): Address {
  const environment = readEnvironment(invocation.root(), invocation.env);
  const given = findText(invocation.values, 'port');
  if (given !== undefined && !(/^\d{1,5}$/.test(given) && Number(given) <= 65_535)) {
    throw createUsageError(`--port can't be "${given}".`, 'A port is a whole number from 0 to 65535.');
  }
  const port = given === undefined ? (environment.port ?? 3000) : Number(given);
  return { port, host: findText(invocation.values, 'host') ?? environment.host ?? '127.0.0.1' };
}
