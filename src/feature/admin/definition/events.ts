import type { EventContribution } from '../../../plan/feature.ts';
import { toCreateEvent } from './events/definition-create.ts';
import { toDetailEvent } from './events/definition-detail.ts';
import { toRemoveEvent } from './events/definition-remove.ts';
import { toRestoreEvent } from './events/definition-restore.ts';
import { createSearchEvent } from './events/definition-search.ts';
import { toUpdateEvent } from './events/definition-update.ts';
import type { OwnerKind } from './owner.ts';

const KINDS: readonly OwnerKind[] = ['schema', 'fieldset'];
const VERBS = [createSearchEvent, toDetailEvent, toCreateEvent, toUpdateEvent, toRemoveEvent, toRestoreEvent];

/** `system-schema-*` and `system-fieldset-*`. */
export const definitionEvents: readonly EventContribution[] = KINDS.flatMap((kind) => VERBS.map((make) => make(kind)));
