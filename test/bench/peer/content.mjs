// Checks that two sides hold the same rows, before anything is measured: the same ids, views, authors and totals.
import { isDeepStrictEqual } from 'node:util';

const show = (content) => JSON.stringify(content).slice(0, 300);

const SAMPLES = [1, 17, 230, 999];

async function fetchContent({ kind, server, rows }, { action, ask }, number) {
  const { path, ...request } = kind.requests[action](ask(number, rows));
  const answer = await fetch(server.url + path, request);
  const text = await answer.text();
  if (answer.status !== 200)
    throw new Error(`${kind.name}: ${path} was answered with ${answer.status}: ${text.slice(0, 200)}`);
  return kind.toContent(JSON.parse(text));
}

/** Names of authors, and totals, only where the line asks for them: a side may tell more than it was asked. */
function leaveOut({ rows, total }, { hasAuthor, hasTotal }) {
  return {
    rows: rows.map(({ name, ...row }) => (hasAuthor ? { ...row, name } : row)),
    ...(hasTotal ? { total } : {}),
  };
}

/** @throws the first difference, with the line's title. @returns how many answers were compared. */
export async function checkContent(sides, lines, takes) {
  let compared = 0;
  for (const [title, line] of Object.entries(lines)) {
    if (!['list', 'detail'].includes(line.action)) continue;
    const [first, ...others] = sides.filter((side) => takes(side, title, line));
    for (const number of SAMPLES) {
      const asked = line.ask(number, first.rows);
      const expected = leaveOut(await fetchContent(first, line, number), asked);
      for (const side of others) {
        const found = leaveOut(await fetchContent(side, line, number), asked);
        if (!isDeepStrictEqual(found, expected))
          throw new Error(
            `${title}, sample ${number}: ${side.name} does not answer as ${first.name}: ${show(found)} in place of ${show(expected)}`,
          );
        compared += 1;
      }
    }
  }
  return compared;
}
