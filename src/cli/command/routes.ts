import { compilePlan } from '../application.ts';
import { listRoutes } from '../explain/find.ts';
import type { CommandSpec } from '../spec.ts';
import { toTable } from '../terminal.ts';

export const command: CommandSpec = {
  examples: ['treadle routes', 'treadle routes --json'],
  async run(invocation) {
    const found = listRoutes(await compilePlan(invocation)).map(({ method, path, by, place, description, name }) => {
      // The call of a definition's file is the project's, though Treadle answers it.
      const owner = place === undefined ? by : 'project';
      return { method, path, by: owner, file: place, description: by === 'project' ? name : description };
    });
    found.sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
    return {
      data: found,
      lines: toTable(found.map(({ method, path, by, file, description }) => [method, path, file ?? by, description])),
      next: ['treadle events'],
    };
  },
};
