import { describeResults, describeStage } from '../../plan/event/describe.ts';
import { compilePlan } from '../application.ts';
import type { CommandSpec } from '../spec.ts';
import { toTable } from '../terminal.ts';

export const command: CommandSpec = {
  examples: ['treadle events', 'treadle events --json'],
  async run(invocation) {
    const plan = await compilePlan(invocation);
    const own = plan.events.map((record) => ({
      event: record.name,
      description: record.description,
      stage: describeStage(record),
      results: describeResults(record),
      firesHooks: record.kind !== 'silent' && record.kind !== 'queues',
    }));
    own.sort((a, b) => a.event.localeCompare(b.event));
    const listeners = plan.draft.registered.filter(({ event }) => !/^[A-Z]+ \//.test(event));
    return {
      data: { events: own, listeners },
      lines: [
        ...own.flatMap(({ event, description, stage, results, firesHooks }) => [
          event,
          `  ${description}`,
          ...Object.entries(stage).map(([key, text]) => `  ${key}: ${text}`),
          `  results: ${results}`,
          ...(firesHooks ? [] : ['  no web hook fires on it']),
        ]),
        ...(listeners.length === 0 ? [] : ["The project's own listeners:"]),
        ...toTable(
          listeners.map(({ event, priority, name, place, phase }) => [
            `  ${event}`,
            place ?? '',
            name,
            phase ?? (priority === 0 ? '' : `priority ${priority}`),
          ]),
        ),
      ],
      next: ['treadle emit <event> key=value'],
    };
  },
};
