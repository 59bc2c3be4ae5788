import { AttachedValue } from '../../../core/attached.ts';
import { toSeconds } from '../../../core/clock.ts';
import type { AnswerListener } from '../../../core/request/answered-request.ts';
import type { Request } from '../../../core/request/request.ts';
import { currentScope } from '../../../core/scope.ts';
import { createRepeating } from '../../../plan/emit/repeat.ts';
import type { Context, Services, Worker } from '../../../plan/feature.ts';
import { addRequests, type LoggedRequest, STORED_REQUESTS } from './request-log-sql.ts';
import { addTraffic, type Traffic } from './traffic-sql.ts';

const EVERY_MILLISECONDS = 5000;
const HOUR = 3600;

/** The app of each request; found while handling it, counted once the status is known. */
const sources = new AttachedValue<Request, number>();

/** What is not saved yet: a request needs no write. */
interface UnsavedTraffic {
  /** By app and hour. */
  readonly counts: Map<string, Traffic>;
  /** By app, oldest first: the newest hundred. */
  readonly logs: Map<number, LoggedRequest[]>;
}

const createUnsaved = (): UnsavedTraffic => ({ counts: new Map(), logs: new Map() });

/** Records that the current request comes from this app. */
export function noteApp(appId: number): void {
  const request = currentScope.getStore()?.request;
  if (request) sources.set(request, appId);
}

const toClass = (status: number): 'succeeded' | 'refused' | 'failed' =>
  status < 400 ? 'succeeded' : status < 500 ? 'refused' : 'failed';

/** Counts each response to an app by class of status, and keeps the last ones. */
export const createCounter = ({ services }: Context): AnswerListener => {
  const { counts, logs } = services.memory.get(createUnsaved);
  return (request, { status, method, path, id, milliseconds }) => {
    const appId = sources.get(request);
    if (appId === undefined) return;
    const at = services.clock.now();
    const log = logs.get(appId) ?? [];
    if (log.push({ appId, at, method, path, status, milliseconds, requestId: id }) > STORED_REQUESTS) log.shift();
    logs.set(appId, log);
    const lastAt = toSeconds(at);
    const hour = lastAt - (lastAt % HOUR);
    const key = `${appId}:${hour}`;
    const before = counts.get(key) ?? { appId, hour, succeeded: 0, refused: 0, failed: 0, lastAt };
    const of = toClass(status);
    counts.set(key, { ...before, lastAt, [of]: before[of] + 1 });
  };
};

/** Counts of an app that this process has not saved yet. */
export const findUnwritten = (services: Services, appId: number): Traffic[] =>
  [...services.memory.get(createUnsaved).counts.values()].filter((count) => count.appId === appId);

/** Requests of an app that this process has not saved yet, oldest first. */
export const findUnwrittenRequests = (services: Services, appId: number): readonly LoggedRequest[] =>
  services.memory.get(createUnsaved).logs.get(appId) ?? [];

async function flush(services: Services): Promise<void> {
  const { counts, logs } = services.memory.get(createUnsaved);
  if (counts.size === 0) return;
  const rows = [...counts.values()];
  const requests = [...logs.values()].flat();
  counts.clear();
  logs.clear();
  await services.database.write(async () => {
    await addTraffic(services.database, rows);
    await addRequests(services.database, requests);
  });
}

/** Saves the counts every five seconds and at the end. */
export const createTrafficWriter = ({ services }: Context): Worker =>
  createRepeating(services, {
    every: EVERY_MILLISECONDS,
    errorCode: 'app-traffic-unsaved',
    isLast: true,
    run: () => flush(services),
  });
