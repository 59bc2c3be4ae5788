import { compilePlan } from '../application.ts';
import type { CommandSpec } from '../spec.ts';
import { toTable } from '../terminal.ts';

export const command: CommandSpec = {
  examples: ['treadle routes', 'treadle routes --json'],
  async run(invocation) {
    const plan = await compilePlan(invocation);
    const calls = new Map(
      plan.calls.map((call) => [`${call.definition.method.toUpperCase()} ${call.path}`, call.file]),
    );
    // A plan that is not served has the project's listeners on its bus, and Treadle's routes beside it.
    const own = plan.routes.map(({ method, path, description }) => {
      const file = calls.get(`${method} ${path}`);
      return { method, path, by: file === undefined ? 'treadle' : 'project', file, description };
    });
    const project = plan.draft.registered.flatMap(({ event, name, place }) => {
      const [, method, path] = /^([A-Z]+) (\/.*)$/.exec(event) ?? [];
      if (method === undefined || path === undefined) return [];
      return [{ method, path, by: 'project', file: place, description: name }];
    });
    const found = [...project, ...own];
    found.sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
    return {
      data: found,
      lines: toTable(found.map(({ method, path, by, file, description }) => [method, path, file ?? by, description])),
      next: ['treadle events'],
    };
  },
};
