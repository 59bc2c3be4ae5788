import { compilePlan } from '../application.ts';
import type { CommandSpec } from '../spec.ts';
import { toTable } from '../terminal.ts';

export const command: CommandSpec = {
  examples: ['treadle routes', 'treadle routes --json'],
  async run(invocation) {
    const plan = await compilePlan(invocation);
    const own = new Map(plan.routes.map(({ method, path, description }) => [`${method} ${path}`, description]));
    const found = plan.bus.list().flatMap(({ event, isOwn, name }) => {
      const [method = '', path] = event.split(' ');
      if (path === undefined || !path.startsWith('/')) return [];
      return [
        { method, path, by: isOwn ? 'treadle' : 'project', description: isOwn ? (own.get(event) ?? '') : toText(name) },
      ];
    });
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
