import { runForJson } from '../command-run.ts';
import { readText, type Tool } from '../tool.ts';

/** Routes of one answer. */
const MOST = 150;

interface Route {
  readonly method: string;
  readonly path: string;
}

export const routes: Tool = {
  name: 'routes',
  description: 'The routes that the site serves: method, path, file, description.',
  inputSchema: {
    type: 'object',
    properties: { search: { type: 'string', description: 'part of a path, file or description' } },
  },
  async run(input, invocation) {
    const all = (await runForJson(invocation, ['routes'])) as readonly Route[];
    const part = readText(input, 'search')?.toLowerCase();
    const some = part === undefined ? all : all.filter((route) => JSON.stringify(route).toLowerCase().includes(part));
    const left = some.length - MOST;
    return { routes: some.slice(0, MOST), ...(left > 0 ? { left, hint: 'Narrow it down with "search".' } : {}) };
  },
};
