import { compilePlan } from '../application.ts';
import type { CommandSpec } from '../spec.ts';
import { toTable } from '../terminal.ts';

export const command: CommandSpec = {
  examples: ['treadle routes', 'treadle routes --json'],
  async run(invocation) {
    const plan = await compilePlan(invocation);
    // A plan that is not served has the project's listeners on its bus, and Treadle's routes beside it.
    const own = plan.routes.map(({ method, path, description }) => ({ method, path, by: 'treadle', description }));
    const project = plan.bus.list().flatMap(({ event, isOwn, name }) => {
      const [method = '', path] = event.split(' ');
      if (isOwn || path === undefined || !path.startsWith('/')) return [];
      return [{ method, path, by: 'project', description: toText(name) }];
    });
    const found = [...project, ...own];
    found.sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
    return {
      data: found,
      lines: toTable(found.map(({ method, path, by, description }) => [method, path, by, description])),
      next: ['treadle events'],
    };
  },
};

/** A listener's name; an arrow function in a controller has none. */
const toText = (name: string): string => (name === '(anonymous)' ? '' : name);
