// Servers of the part "peer", and the loads of one line.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { compare } from '../load.mjs';
import { startServer } from '../server.mjs';
import { UPDATE } from './lines.mjs';

const BARE_FILE = fileURLToPath(new URL('bare.mjs', import.meta.url));
const WITHOUT_SYNC = fileURLToPath(new URL('without-sync.cjs', import.meta.url));

export const startTreadle = (treadle, project, env = {}) =>
  startServer(process.execPath, [treadle, 'start', '--port', '0', '--cwd', project], {
    cwd: project,
    env: { LOG_LEVEL: 'warn', ...env },
  });
export const startWithoutSync = (treadle, project) =>
  startTreadle(treadle, project, { NODE_OPTIONS: `--require ${JSON.stringify(WITHOUT_SYNC)}` });
export const startBare = (file) => startServer(process.execPath, [BARE_FILE, file]);

const WRITER_MILLISECONDS = 50;

/** One PATCH every 50 ms until the returned function is called, which rejects if one failed. */
function startWriter({ server, kind, rows, counts }) {
  const sent = [];
  const timer = setInterval(() => {
    counts.writer = (counts.writer ?? 0) + 1;
    const { path, status = 200, ...request } = kind.requests.update(UPDATE.ask(counts.writer, rows));
    sent.push(
      fetch(server.url + path, request).then(async (answer) => {
        const text = await answer.text();
        if (answer.status !== status) throw new Error(`the writer's ${path}: ${answer.status} ${text.slice(0, 200)}`);
      }),
    );
  }, WRITER_MILLISECONDS);
  return async () => {
    clearInterval(timer);
    await Promise.all(sent);
  };
}

/** What `compare` takes of one side for a line. Numbers go on from one load of a line to the next. */
export function toLoad(side, title, { action, ask, hasWriter }) {
  const { kind, server, rows, counts } = side;
  counts[title] ??= { next: 0 };
  const each = (number) => {
    const asked = ask(number, rows);
    const { status: _, ...request } = kind.requests[asked.action ?? action](asked);
    return request;
  };
  const status = kind.status[action] ?? kind.requests[action](ask(0, rows)).status ?? 200;
  return {
    name: side.name,
    server,
    request: { each, status },
    numbers: counts[title],
    ...(hasWriter ? { beside: () => startWriter(side) } : {}),
  };
}

/** Loads a server with each line in turn for so many seconds altogether. */
export async function warmUp(side, lines, { seconds, connections }) {
  const taken = Object.entries(lines).filter(([title, line]) => takes(side, title, line) && !line.isLast);
  for (const [title, line] of taken)
    await compare([toLoad(side, title, line)], { rounds: 1, seconds: seconds / taken.length, connections });
}

export const takes = ({ kind, isOnlyForWrites }, title, line) =>
  (!isOnlyForWrites || line.isWrite === true) && kind.takes({ title, ...line });
