// Creates a blog with many articles and comments, and a token that may create comments. All data except the bulk rows
// is created through Treadle's own calls.
import { execFile, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import sqlite3 from 'sqlite3';

const run = promisify(execFile);
export const WORDS =
  'warp weft loom shuttle heddle reed treadle cloth thread spool pattern twill plain satin linen wool cotton dye mordant selvedge'.split(
    ' ',
  );

function text(count, seed) {
  let state = seed + 1;
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return WORDS[state % WORDS.length];
  }).join(' ');
}

async function insertRows(file, rows) {
  const handle = new sqlite3.Database(file);
  const exec = promisify(handle.exec.bind(handle));
  const every = (sql) => {
    const statement = handle.prepare(sql);
    return { run: promisify(statement.run.bind(statement)), end: promisify(statement.finalize.bind(statement)) };
  };
  await exec('PRAGMA foreign_keys=ON; BEGIN');
  const article =
    every(`INSERT INTO article (article_title, article_slug, article_category, article_author, article_published, article_detail, article_active, article_created, article_updated)
    VALUES (?, ?, 'weaving', 'Bench', ?, ?, 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00')`);
  const comment =
    every(`INSERT INTO comment (comment_detail, comment_active, comment_created, comment_updated, profile_id, article_id)
    VALUES (?, 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00', 1, ?)`);
  for (let id = 1; id <= rows; id += 1) {
    const published = new Date(Date.UTC(2020, 0, 1) + ((id * 7919) % rows) * 3_600_000)
      .toISOString()
      .slice(0, 19)
      .replace('T', ' ');
    await article.run([text(6, id), `article-${id}`, published, `<p>${text(60, id)}</p>`]);
    if (id < 200) for (let n = 0; n < 5; n += 1) await comment.run([text(12, id + n), id]);
  }
  await Promise.all([article.end(), comment.end()]);
  await exec('COMMIT');
  await promisify(handle.close.bind(handle))();
}

/** The browser flow by hand: sign up, allow, exchange. */
async function getToken(url, id, secret) {
  const cookies = new Map();
  const send = async (path, form) => {
    const headers = { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
    const answer = await fetch(
      url + path,
      form
        ? {
            method: 'POST',
            headers: { ...headers, 'sec-fetch-site': 'same-origin' },
            body: new URLSearchParams(form),
            redirect: 'manual',
          }
        : { headers, redirect: 'manual' },
    );
    for (const cookie of answer.headers.getSetCookie()) cookies.set(...cookie.split(';')[0].split('='));
    return { text: await answer.text(), location: answer.headers.get('location') ?? '', status: answer.status };
  };
  const account = {
    profile_name: 'Bench',
    auth_slug: 'bench@example.org',
    auth_password: 'a long enough word',
    confirm: 'a long enough word',
  };
  const signedUp = await send('/auth/signup', account);
  if (signedUp.status !== 303) throw new Error(`sign-up: ${signedUp.status}`);
  const path = `/dialog/request?client_id=${id}`;
  const dialog = await send(path);
  const csrf = /name="csrf" value="([^"]*)"/.exec(dialog.text)?.[1] ?? '';
  const permissions = [...dialog.text.matchAll(/name="permissions\[\]"[^>]*value="([^"]*)"/g)].map((match) => [
    'permissions[]',
    match[1],
  ]);
  const back = await send(path, [['action', 'allow'], ['csrf', csrf], ...permissions]);
  const code = new URL(back.location, url).searchParams.get('code');
  const answer = await fetch(`${url}/rest/access?client_id=${id}&client_secret=${secret}&code=${code}`, {
    method: 'POST',
  });
  return (await answer.json()).results.access_token;
}

export async function fillDatabase({ treadle, project, rows }) {
  const environment = { ...process.env, CI: 'true' };
  const cli = async (...args) =>
    (await run(process.execPath, [treadle, ...args, '--json'], { env: environment })).stdout;
  await cli('create', project, '--no-install', '--no-git');
  const here = ['--cwd', project];
  await cli('api', 'populate', ...here);
  await cli('rest', 'generate', 'comment', '--access', 'user', '--action', 'create,update', ...here);
  const scopeFile = join(project, 'config/scope/profile_read.json');
  const scope = JSON.parse(readFileSync(scopeFile, 'utf8'));
  const search = {
    title: 'Search articles for a user',
    access: 'user',
    method: 'get',
    path: '/user/article/search',
    event: 'system-model-search',
    parameters: { schema: 'article' },
    own: false,
  };
  writeFileSync(join(project, 'config/rest/user-article-search.json'), `${JSON.stringify(search, null, 2)}\n`);
  for (const call of ['user-comment-create', 'user-comment-update', 'user-article-search'])
    if (!scope.calls.includes(call)) scope.calls.push(call);
  writeFileSync(scopeFile, `${JSON.stringify(scope, null, 2)}\n`);
  const settingsFile = join(project, 'config/settings.json');
  const settings = JSON.parse(readFileSync(settingsFile, 'utf8'));
  writeFileSync(settingsFile, `${JSON.stringify({ ...settings, limits: { perMinute: 1_000_000 } }, null, 2)}\n`);
  const made = JSON.parse(await cli('app', 'create', 'bench', '--title', 'Bench', '--scope', 'profile_read', ...here));
  await cli('migrate', ...here);
  const server = spawn(process.execPath, [treadle, 'start', '--port', '0', ...here], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await new Promise((done) => {
    server.stdout.on('data', (chunk) => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk));
      if (found) done(found[0]);
    });
  });
  const token = await getToken(url, made.clientId, made.clientSecret);
  await new Promise((done) => {
    server.on('exit', done);
    server.kill('SIGTERM');
  });
  await insertRows(join(project, 'var/app.db'), rows);
  // These rows did not pass through Treadle, so its index lacks their words, and the planner their statistics.
  await cli('words', 'rebuild', ...here);
  // Of the usual size of a style sheet or script.
  writeFileSync(join(project, 'public/bench.css'), `.bench { color: #123 }\n`.repeat(700));
  return { token };
}
