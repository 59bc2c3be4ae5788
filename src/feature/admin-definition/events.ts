import type { EventRecord } from '../../plan/feature.ts';
import type { OwnerKind } from './owner.ts';
import { toCreateEvent } from './owner-events/definition-create.ts';
import { toDetailEvent } from './owner-events/definition-detail.ts';
import { toRemoveEvent } from './owner-events/definition-remove.ts';
import { toRestoreEvent } from './owner-events/definition-restore.ts';
import { createSearchEvent } from './owner-events/definition-search.ts';
import { toUpdateEvent } from './owner-events/definition-update.ts';

const KINDS: readonly OwnerKind[] = ['schema', 'fieldset'];
const VERBS = [createSearchEvent, toDetailEvent, toCreateEvent, toUpdateEvent, toRemoveEvent, toRestoreEvent];

/** `system-schema-*` and `system-fieldset-*`. A file of `events/` is one event and has its name; each of `owner-events/` makes two. */
export const definitionEvents: readonly EventRecord[] = KINDS.flatMap((kind) => VERBS.map((make) => make(kind)));
