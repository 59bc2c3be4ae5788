/**
 * What an event does to the data. `reads`: nothing. `writes`: it changes something, and the bus wraps it in a transaction where a hook or an
 * `after` listener follows. `self`: its behaviour opens its own transaction and calls `context.committing` in it. `silent`: it
 * changes nothing that a hook could report, such as a token's lookup. `queues`: it stores work, at once or with the write that is about
 * to happen.
 */
export type EventKind = 'reads' | 'writes' | 'self' | 'silent' | 'queues';

/** Whether a hook can report what an event does. */
export const changesData = ({ kind }: { readonly kind: EventKind }): boolean => kind === 'writes' || kind === 'self';
