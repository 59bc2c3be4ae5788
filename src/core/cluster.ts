import type { Cluster } from 'node:cluster';
import process from 'node:process';
import { isObject } from './record.ts';

/** Node's module. It loads three others, so only servers with workers ask for it. */
export const getCluster = (): Cluster => process.getBuiltinModule('node:cluster') as object as Cluster;

/** Whether this process is one of several workers of a server. Each has a channel to the first process. */
export const isWorker = process.channel !== undefined && getCluster().isWorker;

/** True for a message of Treadle's between the processes of a server; libraries send others. @param area Its first word, such as `metrics-`. */
export const isMessage = <M extends { readonly treadle: string }>(value: unknown, area = ''): value is M =>
  isObject(value) && typeof value.treadle === 'string' && value.treadle.startsWith(area);
