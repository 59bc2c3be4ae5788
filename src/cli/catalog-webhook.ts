import type { CatalogEntry } from './catalog.ts';

/** What web hooks have beside the verbs of every definition. */
export const WEBHOOK_VERBS: readonly CatalogEntry[] = [
  {
    words: ['webhook', 'secret'],
    summary: "prints a hook's signing secret",
    load: async () => (await import('./command/webhook-secret.ts')).command,
  },
  {
    words: ['webhook', 'rotate'],
    summary: 'makes a new signing secret; old and new both sign for a day',
    load: async () => (await import('./command/webhook-rotate.ts')).command,
  },
  {
    words: ['webhook', 'deliveries'],
    summary: 'lists the deliveries of the last 30 days',
    load: async () => (await import('./command/webhook-deliveries.ts')).command,
  },
  {
    words: ['webhook', 'replay'],
    summary: 'sends deliveries again with the same ids',
    load: async () => (await import('./command/webhook-replay.ts')).command,
  },
  {
    words: ['webhook', 'receivers'],
    summary: 'lists the receivers of web hooks with their state',
    load: async () => (await import('./command/webhook-receivers.ts')).command,
  },
  {
    words: ['webhook', 'enable'],
    summary: 'enables a receiver and sends what it missed',
    load: async () => (await import('./command/webhook-enable.ts')).enable,
  },
  {
    words: ['webhook', 'disable'],
    summary: 'disables a receiver; its deliveries are kept',
    load: async () => (await import('./command/webhook-enable.ts')).disable,
  },
  {
    words: ['webhook', 'test'],
    summary: 'sends a test event and prints the result',
    load: async () => (await import('./command/webhook-test.ts')).command,
  },
  {
    words: ['webhook', 'listen'],
    summary: 'runs a local receiver that prints and verifies each request',
    load: async () => (await import('./command/webhook-listen.ts')).command,
  },
];
