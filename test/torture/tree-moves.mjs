// Moves in a tree at once, by calls, batches, imports and serializable transactions of own code: on SQLite, and on PostgreSQL with
// two processes. However they meet, no row is below itself afterwards, and the walk of every row ends at a root.
// Usage: node --import tsx test/torture/tree-moves.mjs [--short] [--seed n] [--moves n] [--rounds n] [--only sqlite|postgres] [--postgres url]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { createDice } from './_migration-world.mjs';
import { onSchema } from './_on-postgres.mjs';
import { createAgent, StartSite, send } from './_start-site.mjs';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261121' },
    moves: { type: 'string', default: '1000' },
    rounds: { type: 'string' },
    only: { type: 'string' },
    postgres: { type: 'string', default: process.env.TREADLE_TEST_POSTGRES ?? 'postgres://root@127.0.0.1:5432/test' },
  },
});
const moves = Number(values.moves);
const rounds = Number(values.rounds ?? (values.short ? 1 : 10));
/** Few rows, so that moves meet. */
const ROWS = 24;
const MOVERS = 32;
const HANGS_MS = 60_000;
/** What a move may be answered with: done, refused, lost against another one. */
const ANSWERS = new Set([200, 409, 422, 503]);

const CODE = `
import type { App } from 'treadle';
export default function own(app: App) {
  app.post('/own-move', async (request, response) => {
    const { node_id, parent_id } = request.getPost();
    const move = async () => {
      const moved = await app.emit('system-model-update', { schema: 'node', node_id, parent_id });
      if (moved.isError()) throw Object.assign(new Error('refused'), { status: moved.getStatus() });
    };
    try {
      await app.transaction(move, { attempts: 5 });
      response.setContent('moved');
    } catch (error) {
      if (error.status === undefined) throw error;
      response.setStatus(error.status).setContent('refused');
    }
  });
}
`;

const NODE = {
  name: 'node',
  singular: 'Node',
  plural: 'Nodes',
  fields: [{ name: 'title', type: 'text' }],
  relations: [{ schema: 'node', kind: '1:0', name: 'parent', tree: true }],
};
const CALLS = {
  search: ['get', '/search'],
  update: ['patch', '/update/:node_id'],
  batch: ['post', '/batch'],
  import: ['post', '/import'],
};

function check(isTrue, message) {
  if (!isTrue) throw new Error(message);
}

function writeTree(root) {
  const write = (path, value) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  };
  write('config/schema/node.json', NODE);
  for (const [action, [method, path]] of Object.entries(CALLS))
    write(`config/rest/public-node-${action}.json`, {
      ...{ title: `${action} nodes`, access: 'public', method, path: `/public/node${path}` },
      ...{ event: `system-model-${action}`, parameters: { schema: 'node' } },
    });
  write('app/www/src/controller/own.ts', CODE);
  const include = readFileSync(join(root, 'app/www/.treadle.ts'), 'utf8');
  const text = include.replace(/export default \[/, 'export default [own, ');
  write('app/www/.treadle.ts', `import own from './src/controller/own';\n${text}`);
}

/** One move or several, as a request. */
function toRequest(url, dice) {
  const id = () => 1 + dice.below(ROWS);
  const pick = () => ({ node_id: id(), parent_id: dice.chance(0.05) ? null : id() });
  const one = pick();
  const kind = dice.next();
  const call = `${url}/rest/public/node`;
  if (kind < 0.55) {
    const body = { parent_id: one.parent_id };
    return { kind: 'call', url: `${call}/update/${one.node_id}`, method: 'PATCH', body };
  }
  if (kind < 0.7) {
    const operations = [one, pick(), pick()].map(({ node_id, parent_id }) => ({
      ...{ action: 'update', id: node_id, values: { parent_id } },
    }));
    return { kind: 'batch', url: `${call}/batch`, method: 'POST', body: { operations } };
  }
  if (kind < 0.85) {
    const rows = [...new Map([one, pick(), pick(), pick()].map((row) => [row.node_id, row])).values()];
    return { kind: 'import', url: `${call}/import`, method: 'POST', body: { rows } };
  }
  return { kind: 'own', url: `${url}/own-move`, method: 'POST', body: one };
}

async function readParents(url) {
  const { text } = await send(`${url}/rest/public/node/search?limit=100`);
  return new Map(JSON.parse(text).results.rows.map(({ node_id, parent_id }) => [node_id, parent_id]));
}

/** The rows whose walk does not end. */
function listEndless(parents) {
  return [...parents.keys()].filter((start) => {
    let steps = 0;
    for (let at = start; at !== null && steps <= parents.size; at = parents.get(at) ?? null) steps += 1;
    return steps > parents.size;
  });
}

async function move(urls, dice, agent) {
  const answers = new Map();
  let left = moves;
  const work = async (own) => {
    for (let turn = own; left > 0; turn += 1) {
      left -= 1;
      const { kind, url, ...request } = toRequest(urls[turn % urls.length], dice);
      const { status, text } = await send(url, { ...request, agent, limit: HANGS_MS });
      check(
        ANSWERS.has(status),
        `a move by ${kind} was answered with ${status}: ${text.slice(0, 300)} ${JSON.stringify(request)}`,
      );
      const counts = answers.get(kind) ?? {};
      answers.set(kind, { ...counts, [status]: (counts[status] ?? 0) + 1 });
    }
  };
  await Promise.all(Array.from({ length: MOVERS }, (_, own) => work(own)));
  return answers;
}

async function storm(place, url, processes) {
  const site = await StartSite.make({ env: { DATABASE_URL: url } });
  const agent = createAgent(MOVERS);
  const servers = [];
  try {
    writeTree(site.root);
    await site.migrate();
    for (let index = 0; index < processes; index += 1) servers.push(await site.start());
    const urls = servers.map((server) => server.url);
    const rows = Array.from({ length: ROWS }, (_, index) => ({ node_title: `Node ${index + 1}` }));
    const body = { rows };
    const { status, text } = await send(`${urls[0]}/rest/public/node/import`, { method: 'POST', body, agent });
    check(status === 200, `the first rows were answered with ${status}: ${text}`);
    for (let round = 1; round <= rounds; round += 1) {
      const answers = await move(urls, createDice(Number(values.seed) + round), agent);
      const parents = await readParents(urls[0]);
      check(parents.size === ROWS, `${parents.size} rows instead of ${ROWS}`);
      const endless = listEndless(parents);
      check(endless.length === 0, `round ${round}: rows are below themselves: ${endless.join(', ')}`);
      const moved = [...answers.values()].reduce((sum, counts) => sum + (counts[200] ?? 0), 0);
      const refused = [...answers.values()].reduce((sum, counts) => sum + (counts[422] ?? 0), 0);
      check(moved > 0 && refused > 0, `${moved} moves and ${refused} refusals show nothing`);
      const told = [...answers]
        .map(([kind, counts]) => `${kind} ${JSON.stringify(counts)}`)
        .sort()
        .join(', ');
      process.stdout.write(
        `tree-moves ${place}, round ${round}: ${moves} moves by ${processes} process(es), 0 cycles; ${told}\n`,
      );
    }
  } catch (error) {
    // What a server says of an error comes after its answer.
    await new Promise((done) => setTimeout(done, 500));
    const lines = servers.flatMap(({ log }) => log.split('\n')).filter((line) => line.includes('"level":"error"'));
    process.stdout.write(`${lines.slice(-3).join('\n')}\n`);
    throw error;
  } finally {
    agent.destroy();
    await site.close();
  }
}

try {
  const isWanted = (name) => values.only === undefined || values.only === name;
  if (isWanted('sqlite')) await storm('sqlite', 'sqlite:var/app.db', 1);
  if (isWanted('postgres')) await onSchema('tree-moves', values.postgres, (url) => storm('postgres', url, 2));
} catch (error) {
  process.stdout.write(`tree-moves, seed ${values.seed}: ${error.stack}\n`);
  process.exitCode = 1;
}
