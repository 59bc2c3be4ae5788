import type { Cluster } from 'node:cluster';
import process from 'node:process';
import { isObject } from './record.ts';

/** Node's module. It loads three others, so only servers with workers ask for it. */
export const getCluster = (): Cluster => process.getBuiltinModule('node:cluster') as object as Cluster;

/** Whether this process is one of several workers of a server. Each has a channel to the first process. */
export const isWorker = process.channel !== undefined && getCluster().isWorker;

/** True for a message of Treadle's between the processes of a server. Libraries send others. */
export const isMessage = <M extends { readonly treadle: string }>(value: unknown): value is M =>
  isObject(value) && typeof value.treadle === 'string';

/** The same for a message with an id of one kind. @param kind Begins its name, such as `metrics-`. */
export const isNumbered = <M extends { readonly treadle: string; readonly id: number }>(
  value: unknown,
  kind: string,
): value is M => isMessage<M>(value) && value.treadle.startsWith(kind) && typeof value.id === 'number';
