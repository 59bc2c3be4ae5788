import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Clock, Random } from '../core/clock.ts';
import { isError, type Problem, sortProblems } from '../core/errors.ts';
import { packageRoot } from '../core/file/package-root.ts';
import type { SlowAdvice } from '../database/load/slow-reads.ts';
import type { Exchange } from './exchange.ts';
import { createHeaders } from './respond/header.ts';

const STREAM_PATH = '/__treadle/reload';
const SCRIPT_PATH = '/__treadle/reload.js';
/** A comment at this interval keeps proxies from closing an idle stream. */
const HEARTBEAT_MS = 25_000;
/** Advice that waits for its page. */
const MOST_ADVICE = 20;

/** Live reload: notifies open pages of a new version, or of the problems that prevent one. */
export interface Development {
  /** Answers the two paths of live reload; returns false for any other path. */
  handle(exchange: Exchange): boolean;
  /** Adds the script to a page. */
  decorate(html: string): string;
  /**
   * Notifies every open page. Without problems they reload. With problems they show them over the last good version,
   * which is still served, until a call without problems.
   */
  notifyReload(problems?: readonly Problem[]): void;
  /** Shows advice about a slow search on the page that made it, also if that opens its stream only now. */
  readonly tellSlow: (advice: SlowAdvice) => void;
  /** Ends the open streams, so that the server can close. */
  close(): void;
}

export interface DevelopmentOptions {
  readonly clock: Clock;
  readonly random: Random;
}

export function createDevelopment(options: DevelopmentOptions): Development {
  const { clock, random } = options;
  const run = random(6).toString('base64url');
  const streams = new Set<ServerResponse>();
  const state: { version: number; problems: readonly Problem[]; isClosed: boolean } = {
    version: 1,
    problems: [],
    isClosed: false,
  };
  const slow: SlowAdvice[] = [];
  const toSlowEvent = (advice: readonly SlowAdvice[]): string => `event: slow\ndata: ${JSON.stringify(advice)}\n\n`;
  const version = (): string => `${run}.${state.version}`;
  const toEvent = (): string =>
    `event: state\ndata: ${JSON.stringify({ version: version(), problems: state.problems })}\n\n`;

  const beat = (): void => {
    if (streams.size === 0 || state.isClosed) return;
    for (const stream of streams) stream.write(':\n\n');
    clock.after(HEARTBEAT_MS, beat);
  };
  const open = (exchange: Exchange): void => {
    const { res } = exchange;
    const headers = createHeaders(exchange, false);
    res.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    res.write(`retry: 300\n${toEvent()}${slow.length === 0 ? '' : toSlowEvent(slow)}`);
    if (streams.size === 0) clock.after(HEARTBEAT_MS, beat);
    streams.add(res);
    res.on('close', () => streams.delete(res));
  };
  const sendScript = (exchange: Exchange): void => {
    const script = readFileSync(join(packageRoot, 'templates', 'http', 'reload.js'));
    const headers = createHeaders(exchange, false);
    const type = 'text/javascript; charset=utf-8';
    exchange.res.writeHead(200, { ...headers, 'content-type': type, 'cache-control': 'no-cache' });
    exchange.res.end(exchange.method === 'HEAD' ? undefined : script);
  };

  return {
    handle(exchange) {
      const isRead = exchange.method === 'GET' || exchange.method === 'HEAD';
      if (!isRead || (exchange.path !== STREAM_PATH && exchange.path !== SCRIPT_PATH)) return false;
      exchange.isDone = true;
      if (exchange.path === SCRIPT_PATH) sendScript(exchange);
      else if (state.isClosed || exchange.method === 'HEAD') exchange.res.writeHead(204).end();
      else open(exchange);
      return true;
    },
    decorate(html) {
      const tag = `<script src="${SCRIPT_PATH}" data-version="${version()}" defer></script>`;
      const end = html.lastIndexOf('</body>');
      return end < 0 ? `${html}${tag}` : `${html.slice(0, end)}${tag}${html.slice(end)}`;
    },
    notifyReload(problems = []) {
      state.problems = sortProblems(problems.filter(isError));
      if (state.problems.length === 0) state.version += 1;
      const event = toEvent();
      for (const stream of streams) stream.write(event);
    },
    tellSlow(advice) {
      slow.push(advice);
      if (slow.length > MOST_ADVICE) slow.shift();
      for (const stream of streams) stream.write(toSlowEvent([advice]));
    },
    close() {
      state.isClosed = true;
      for (const stream of streams) stream.end();
    },
  };
}
