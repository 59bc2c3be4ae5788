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
    summary: 'makes another signing secret; for a day both sign',
    load: async () => (await import('./command/webhook-rotate.ts')).command,
  },
  {
    words: ['webhook', 'deliveries'],
    summary: 'lists what was sent in the last 30 days, and what came back',
    load: async () => (await import('./command/webhook-deliveries.ts')).command,
  },
  {
    words: ['webhook', 'replay'],
    summary: 'sends deliveries again, with the same ids',
    load: async () => (await import('./command/webhook-replay.ts')).command,
  },
  {
    words: ['webhook', 'receivers'],
    summary: 'tells how each address stands that web hooks are sent to',
    load: async () => (await import('./command/webhook-receivers.ts')).command,
  },
  {
    words: ['webhook', 'enable'],
    summary: 'sends to a receiver again, and sends what it missed',
    load: async () => (await import('./command/webhook-enable.ts')).enable,
  },
  {
    words: ['webhook', 'disable'],
    summary: 'stops sending to a receiver; what happens meanwhile is kept',
    load: async () => (await import('./command/webhook-enable.ts')).disable,
  },
  {
    words: ['webhook', 'test'],
    summary: 'sends a trial event and tells what came back',
    load: async () => (await import('./command/webhook-test.ts')).command,
  },
  {
    words: ['webhook', 'listen'],
    summary: 'runs a receiver on this machine that prints and verifies what arrives',
    load: async () => (await import('./command/webhook-listen.ts')).command,
  },
];
