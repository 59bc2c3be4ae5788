// Strapi and Directus beside Treadle, where the user has a project of them with the same articles.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { compare, toRow } from './load.mjs';
import { toTable } from './page.mjs';
import { getFreePort, memory, startServer, stopServer } from './server.mjs';

const PEERS = [
  {
    name: 'Strapi',
    package: '@strapi/strapi',
    bin: 'bin/strapi.js',
    env: {},
    search: '/api/articles?pagination[pageSize]=20&pagination[withCount]=true&pagination[page]=',
    detail: (id) => `/api/articles/${id}`,
    listIds: ({ data }) => data.map(({ documentId, id }) => documentId ?? id),
  },
  {
    name: 'Directus',
    package: 'directus',
    bin: 'cli.js',
    env: {},
    search: '/items/article?limit=20&meta=filter_count&page=',
    detail: (id) => `/items/article/${id}`,
    listIds: ({ data }) => data.map(({ article_id, id }) => article_id ?? id),
  },
];

/** The folder of a peer's project: the named one, or one below it with the peer's name. */
function findProject(folder, { name, package: wanted }) {
  return [folder, join(folder, name.toLowerCase())].find((place) =>
    existsSync(join(place, 'node_modules', wanted, 'package.json')),
  );
}

async function measurePeer(peer, place, left, options) {
  const { version } = JSON.parse(readFileSync(join(place, 'node_modules', peer.package, 'package.json'), 'utf8'));
  const port = await getFreePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startServer(process.execPath, [join(place, 'node_modules', peer.package, peer.bin), 'start'], {
    cwd: place,
    url,
    env: { ...peer.env, PORT: String(port), HOST: '127.0.0.1' },
  });
  try {
    const answer = await fetch(`${url}${peer.search}1`);
    if (answer.status !== 200) throw new Error(`${peer.search} was answered with ${answer.status}`);
    const ids = peer.listIds(await answer.json());
    const pages = { path: (number) => `${peer.search}${1 + (number % 400)}` };
    const ours = { path: (number) => `/rest/public/article/search?limit=20&offset=${20 * (number % 400)}` };
    const sides = (mine, theirs) => [
      { name: 'treadle', server: left, request: mine },
      { name: peer.name, server, request: theirs },
    ];
    const title = (what) => `${peer.name} ${version}: ${what}`;
    const one = peer.detail(ids[Math.floor(ids.length / 2)]);
    return [
      toRow(title('search of any page, 20 rows with total'), await compare(sides(ours, pages), options)),
      toRow(title('detail'), await compare(sides({ path: '/rest/public/article/detail/77' }, { path: one }), options)),
      [title('memory after the load'), `${memory(left).toFixed(0)} MB`, `${memory(server).toFixed(0)} MB`, '', '', ''],
    ];
  } finally {
    await stopServer(server);
  }
}

/**
 * Measures each peer whose project is in `folder`, and names the others.
 *
 * @returns text for the page.
 */
export async function measurePeers(folder, left, { out, ...options }) {
  const table = [];
  const skipped = [];
  for (const peer of PEERS) {
    const place = findProject(folder, peer);
    try {
      if (place === undefined) throw new Error(`${peer.package} is not installed in ${folder}`);
      table.push(...(await measurePeer(peer, place, left, options)));
    } catch (error) {
      skipped.push(`${peer.name}: skipped, ${error.message}`);
      out(skipped.at(-1));
    }
  }
  const head = ['', 'Treadle', 'peer', 'ratio of rates', 'by processor time', 'p99 of Treadle'];
  // The folder's path is of no use to a reader.
  const notes = skipped.map((text) => `${text.replace(` in ${folder}`, '')}.`);
  return [...(table.length > 0 ? [toTable(head, table)] : []), ...notes].join('\n\n');
}
