import type { Cluster } from 'node:cluster';
import process from 'node:process';

/** Node's module. It loads three others, so only servers with workers ask for it. */
export const getCluster = (): Cluster => process.getBuiltinModule('node:cluster') as object as Cluster;

/** Whether this process is one of several workers of a server. Each has a channel to the first process. */
export const isWorker = process.channel !== undefined && getCluster().isWorker;
