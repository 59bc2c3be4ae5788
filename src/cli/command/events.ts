import { compilePlan } from '../application.ts';
import type { CommandSpec } from '../spec.ts';

export const command: CommandSpec = {
  examples: ['treadle events', 'treadle events --json'],
  async run(invocation) {
    const plan = await compilePlan(invocation);
    const own = plan.events.map(({ event, description, stage, results }) => ({ event, description, stage, results }));
    own.sort((a, b) => a.event.localeCompare(b.event));
    const listeners = plan.bus.list().filter(({ event, isOwn }) => !isOwn && !/^[A-Z]+ \//.test(event));
    return {
      data: { events: own, listeners: listeners.map(({ event, priority, name }) => ({ event, priority, name })) },
      lines: [
        ...own.flatMap(({ event, description, stage, results }) => [
          event,
          `  ${description}`,
          ...Object.entries(stage).map(([key, text]) => `  ${key}: ${text}`),
          `  results: ${results}`,
        ]),
        ...(listeners.length === 0 ? [] : ["The project's own listeners:"]),
        ...listeners.map(({ event, priority, name }) => `  ${event} (${priority}) ${name}`),
      ],
      next: ['treadle emit <event> key=value'],
    };
  },
};
