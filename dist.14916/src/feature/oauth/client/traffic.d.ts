import type { AnswerListener, Context, Services, Worker } from '../../../plan/feature.ts';
import { type Traffic } from './traffic-sql.ts';
/** Records that the current request comes from this app. */
export declare function noteApp(appId: number): void;
/** Counts each response to an app by class of status. */
export declare const createCounter: ({ services }: Context) => AnswerListener;
/** Counts of an app that this process has not saved yet. */
export declare const findUnwritten: (services: Services, appId: number) => Traffic[];
/** Saves the counts every five seconds and at the end. */
export declare const createTrafficWriter: ({ services }: Context) => Worker;
