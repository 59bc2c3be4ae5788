import type { AnswerListener } from '../../../core/answered-request.ts';
import { Attached } from '../../../core/attached.ts';
import { toSeconds } from '../../../core/clock.ts';
import { memoize } from '../../../core/memoize.ts';
import type { Request } from '../../../core/request.ts';
import { currentScope } from '../../../core/scope.ts';
import type { Context, Services, Worker } from '../../../plan/feature.ts';
import { createRepeating } from '../../../plan/repeat.ts';
import { addRequests, KEPT_REQUESTS, type LoggedRequest } from './request-log-sql.ts';
import { addTraffic, type Traffic } from './traffic-sql.ts';

const EVERY_MILLISECONDS = 5000;
const HOUR = 3600;

/** The app of each request; found while handling it, counted once the status is known. */
const sources = new Attached<Request, number>();

/** Unsaved counts by app and hour: a request needs no write. */
const findCounts = memoize((_services: Services) => new Map<string, Traffic>());

/** Unsaved requests by app, oldest first: the newest hundred. */
const findLogs = memoize((_services: Services) => new Map<number, LoggedRequest[]>());

/** Records that the current request comes from this app. */
export function noteApp(appId: number): void {
  const request = currentScope.getStore()?.request;
  if (request) sources.set(request, appId);
}

const toClass = (status: number): 'succeeded' | 'refused' | 'failed' =>
  status < 400 ? 'succeeded' : status < 500 ? 'refused' : 'failed';

/** Counts each response to an app by class of status, and keeps the last ones. */
export const createCounter = ({ services }: Context): AnswerListener => {
  const counts = findCounts(services);
  const logs = findLogs(services);
  return (request, { status, method, path, id, milliseconds }) => {
    const appId = sources.get(request);
    if (appId === undefined) return;
    const at = services.clock.now();
    const log = logs.get(appId) ?? [];
    if (log.push({ appId, at, method, path, status, milliseconds, requestId: id }) > KEPT_REQUESTS) log.shift();
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
  [...findCounts(services).values()].filter((count) => count.appId === appId);

/** Requests of an app that this process has not saved yet, oldest first. */
export const findUnwrittenRequests = (services: Services, appId: number): readonly LoggedRequest[] =>
  findLogs(services).get(appId) ?? [];

async function flush(services: Services): Promise<void> {
  const counts = findCounts(services);
  if (counts.size === 0) return;
  const logs = findLogs(services);
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
    fault: 'app-traffic-unsaved',
    isLast: true,
    run: () => flush(services),
  });
